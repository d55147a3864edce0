package io.millrace.exec.kernel.math;

import io.millrace.core.spi.ScalarKernel;
import io.millrace.core.type.DataType;
import java.math.RoundingMode;

/** How a number is brought to fewer digits after the point. */
enum Rounding {
  CEILING("ceil", RoundingMode.CEILING),
  FLOOR("floor", RoundingMode.FLOOR),
  HALF_AWAY("round", RoundingMode.HALF_UP),
  TOWARDS_ZERO("trunc", RoundingMode.DOWN);

  private final String function;
  private final RoundingMode mode;

  Rounding(String function, RoundingMode mode) {
    this.function = function;
    this.mode = mode;
  }

  String function() {
    return function;
  }

  RoundingMode mode() {
    return mode;
  }

  /** A kernel of one argument, or of a value and a number of digits. */
  ScalarKernel kernel(DataType argument, DataType result, boolean withDigits) {
    return switch (argument) {
      case DataType.Int type -> new IntegerRounding(this, type, withDigits);
      case DataType.Float type -> new FloatRounding(this, type, withDigits);
      case DataType.Decimal type ->
          new DecimalRounding(this, type, (DataType.Decimal) result, withDigits);
      default -> throw new IllegalArgumentException("Not a number: " + argument);
    };
  }
}
