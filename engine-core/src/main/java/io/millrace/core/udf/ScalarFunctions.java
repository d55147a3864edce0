package io.millrace.core.udf;

import java.io.Serializable;

/**
 * The functional interfaces of row functions. Values are Java values as {@code FlatVector.valueAt}
 * gives them; null stands for null. Any exception fails the row.
 */
public final class ScalarFunctions {
  private ScalarFunctions() {}

  /** A row function of any arity. */
  public sealed interface Any extends Serializable permits Of1, Of2, Of3 {}

  /** One argument. */
  @FunctionalInterface
  public non-sealed interface Of1<A, R> extends Any {
    R apply(A value) throws Exception;
  }

  /** Two arguments. */
  @FunctionalInterface
  public non-sealed interface Of2<A, B, R> extends Any {
    R apply(A first, B second) throws Exception;
  }

  /** Three arguments. */
  @FunctionalInterface
  public non-sealed interface Of3<A, B, C, R> extends Any {
    R apply(A first, B second, C third) throws Exception;
  }
}
