package io.millrace.core.function;

import java.util.List;

/**
 * One way to call a function.
 *
 * @param variadic whether the last parameter may repeat (once or more)
 * @param sameType whether all arguments are first brought to their common type
 */
public record Signature(
    List<Parameter> parameters, boolean variadic, boolean sameType, ResultType resultType) {
  public Signature {
    parameters = List.copyOf(parameters);
  }

  public static Signature of(ResultType resultType, Parameter... parameters) {
    return new Signature(List.of(parameters), false, false, resultType);
  }

  /** Arguments are brought to their common type before the patterns are tried. */
  public static Signature ofCommonType(ResultType resultType, Parameter... parameters) {
    return new Signature(List.of(parameters), false, true, resultType);
  }

  public Signature asVariadic() {
    return new Signature(parameters, true, sameType, resultType);
  }
}
