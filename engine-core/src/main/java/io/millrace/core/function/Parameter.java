package io.millrace.core.function;

import java.util.Optional;

/**
 * One parameter of a signature.
 *
 * @param name also the name in named-argument calls ({@code on_error => 'null'})
 * @param constant whether the argument must be a constant
 * @param defaultValue value when the argument is left out; empty when it is required. Only trailing
 *     parameters may be left out by position; a default of {@link #NULL} means NULL
 */
public record Parameter(
    String name, TypePattern type, boolean constant, Optional<Object> defaultValue) {

  /** Stands for a NULL default. */
  public static final Object NULL = new Object();

  public static Parameter of(String name, TypePattern type) {
    return new Parameter(name, type, false, Optional.empty());
  }

  /** A parameter that may be left out; its argument must be a constant. */
  public static Parameter option(String name, TypePattern type, Object defaultValue) {
    return new Parameter(name, type, true, Optional.of(defaultValue));
  }
}
