package io.millrace.exec.kernel;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.type.DataType;

/** The errors of exact arithmetic. */
public final class NumericFaults {
  private NumericFaults() {}

  /** A result that its type cannot hold. */
  public static MillraceException overflow(
      String operation, Object left, Object right, DataType type) {
    return new MillraceException(
        ErrorCode.NUMERIC_OVERFLOW,
        "A result does not fit its type; cast the arguments to a wider one or use try_"
            + operation
            + ": "
            + operation
            + "("
            + left
            + ", "
            + right
            + ") as "
            + type);
  }

  /** A result of one argument that its type cannot hold. */
  public static MillraceException overflow(String operation, Object value, DataType type) {
    return new MillraceException(
        ErrorCode.NUMERIC_OVERFLOW,
        "A result does not fit its type; cast the argument to a wider one: "
            + operation
            + "("
            + value
            + ") as "
            + type);
  }

  /** Exact division by zero. */
  public static MillraceException divisionByZero(String operation, Object left) {
    return new MillraceException(
        ErrorCode.DIVISION_BY_ZERO,
        "Division by zero; use try_divide or nullif(divisor, 0): "
            + operation
            + "("
            + left
            + ", 0)");
  }
}
