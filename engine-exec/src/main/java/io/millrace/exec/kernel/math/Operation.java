package io.millrace.exec.kernel.math;

import java.util.Map;
import java.util.Optional;

/** An arithmetic operation on two numbers of one kind. */
enum Operation {
  ADD("add"),
  SUBTRACT("subtract"),
  MULTIPLY("multiply"),
  DIVIDE("divide"),
  REMAINDER("mod");

  private static final Map<String, Operation> BY_FUNCTION =
      Map.of(
          "add", ADD,
          "subtract", SUBTRACT,
          "multiply", MULTIPLY,
          "divide", DIVIDE,
          "mod", REMAINDER,
          "try_add", ADD,
          "try_subtract", SUBTRACT,
          "try_multiply", MULTIPLY,
          "try_divide", DIVIDE);

  private final String function;

  Operation(String function) {
    this.function = function;
  }

  /** The name of the function, without {@code try_}. */
  String function() {
    return function;
  }

  /** The operation of a function; empty for other functions. */
  static Optional<Operation> of(String function) {
    return Optional.ofNullable(BY_FUNCTION.get(function));
  }
}
