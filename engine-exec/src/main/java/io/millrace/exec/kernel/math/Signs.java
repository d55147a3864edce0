package io.millrace.exec.kernel.math;

import io.millrace.core.error.MillraceException;
import io.millrace.core.spi.ScalarKernel;
import io.millrace.core.type.DataType;
import io.millrace.exec.kernel.BlockKernel;
import io.millrace.exec.kernel.NumericFaults;
import io.millrace.exec.kernel.lane.DecimalLane;
import io.millrace.exec.kernel.lane.DecimalOutput;
import io.millrace.exec.kernel.lane.DoubleLane;
import io.millrace.exec.kernel.lane.DoubleOutput;
import io.millrace.exec.kernel.lane.LongLane;
import io.millrace.exec.kernel.lane.LongOutput;

/** Sign change, absolute value and sign, for every numeric type. */
final class Signs {
  private Signs() {}

  /** What is done to the value. */
  enum Change {
    NEGATE("negate"),
    ABSOLUTE("abs"),
    SIGN("sign");

    private final String function;

    Change(String function) {
      this.function = function;
    }
  }

  static ScalarKernel of(Change change, DataType type) {
    return switch (type) {
      case DataType.Int integer ->
          new Integers(change, integer, new LongLane(), new LongOutput(integer));
      case DataType.Float number -> new Floats(change, new DoubleLane(), new DoubleOutput(number));
      case DataType.Decimal decimal ->
          new Decimals(change, decimal.scale(), new DecimalLane(), new DecimalOutput(decimal));
      default -> throw new IllegalArgumentException("Not a number: " + type);
    };
  }

  private static final class Integers extends BlockKernel {
    private final Change change;
    private final DataType.Int type;
    private final long[] value;
    private final long[] result;

    Integers(Change change, DataType.Int type, LongLane input, LongOutput output) {
      super(output, input);
      this.change = change;
      this.type = type;
      this.value = input.values();
      this.result = output.values();
    }

    @Override
    protected boolean compute(int count) {
      boolean unsigned = !type.signed();
      boolean failed = false;
      for (int lane = 0; lane < count; lane++) {
        long number = value[lane];
        result[lane] =
            switch (change) {
              case NEGATE -> -number;
              case ABSOLUTE -> unsigned ? number : Math.abs(number);
              case SIGN -> unsigned ? (number == 0 ? 0 : 1) : Long.signum(number);
            };
        failed |= fails(number);
      }
      return failed;
    }

    private boolean fails(long number) {
      return switch (change) {
        case NEGATE -> type.signed() ? number == IntegerRange.least(type) : number != 0;
        case ABSOLUTE -> type.signed() && number == IntegerRange.least(type);
        case SIGN -> false;
      };
    }

    @Override
    protected boolean isFaulty(int lane) {
      return fails(value[lane]);
    }

    @Override
    protected MillraceException fault(int lane) {
      return NumericFaults.overflow(
          change.function,
          type.signed() ? Long.toString(value[lane]) : Long.toUnsignedString(value[lane]),
          type);
    }
  }

  private static final class Floats extends BlockKernel {
    private final Change change;
    private final double[] value;
    private final double[] result;

    Floats(Change change, DoubleLane input, DoubleOutput output) {
      super(output, input);
      this.change = change;
      this.value = input.values();
      this.result = output.values();
    }

    @Override
    protected boolean compute(int count) {
      for (int lane = 0; lane < count; lane++) {
        double number = value[lane];
        result[lane] =
            switch (change) {
              case NEGATE -> -number;
              case ABSOLUTE -> Math.abs(number);
              case SIGN -> Math.signum(number);
            };
      }
      return false;
    }
  }

  private static final class Decimals extends BlockKernel {
    private final Change change;
    private final long[] one;
    private final DecimalLane input;
    private final DecimalOutput output;

    Decimals(Change change, int scale, DecimalLane input, DecimalOutput output) {
      super(output, input);
      this.change = change;
      this.one =
          new long[] {
            Int128.high(java.math.BigInteger.TEN.pow(scale)),
            Int128.low(java.math.BigInteger.TEN.pow(scale))
          };
      this.input = input;
      this.output = output;
    }

    @Override
    protected boolean compute(int count) {
      for (int lane = 0; lane < count; lane++) {
        long high = input.high()[lane];
        long low = input.low()[lane];
        boolean zero = (high | low) == 0;
        boolean sign = change == Change.SIGN;
        boolean flip = change == Change.NEGATE || high < 0;
        if (sign && !zero) {
          flip = high < 0;
          high = one[0];
          low = one[1];
        }
        output.low()[lane] = flip ? -low : low;
        output.high()[lane] = flip ? ~high + (low == 0 ? 1 : 0) : high;
      }
      return false;
    }
  }
}
