package io.millrace.exec.kernel.cast;

import io.millrace.core.spi.ScalarKernel;
import io.millrace.core.type.DataType;
import io.millrace.exec.kernel.lane.BooleanOutput;
import io.millrace.exec.kernel.lane.DecimalOutput;
import io.millrace.exec.kernel.lane.DoubleOutput;
import io.millrace.exec.kernel.lane.LongLane;
import io.millrace.exec.kernel.lane.LongOutput;
import io.millrace.exec.kernel.lane.Output;
import io.millrace.exec.kernel.math.Int128;
import io.millrace.exec.kernel.math.IntegerRange;
import java.math.BigInteger;
import java.util.Optional;

/** Conversions of integers to other numbers and booleans. */
final class IntegerCasts {
  private IntegerCasts() {}

  static Optional<ScalarKernel> of(DataType.Int from, CastRequest request) {
    return switch (request.to()) {
      case DataType.Int to -> Optional.of(new ToInteger(from, to, request));
      case DataType.Float to -> Optional.of(new ToFloat(from, to, request));
      case DataType.Decimal to -> Optional.of(new ToDecimal(from, to, request));
      case DataType.Bool to -> Optional.of(new ToBoolean(from, request));
      default -> Optional.empty();
    };
  }

  private abstract static class FromInteger extends CastBlock {
    final boolean unsigned;
    final long[] value;

    FromInteger(DataType.Int from, CastRequest request, LongLane input, Output output) {
      super(request, input, output);
      this.unsigned = !from.signed() && from.bits() == 64;
      this.value = input.values();
    }

    @Override
    final String describe(int lane) {
      return unsigned ? Long.toUnsignedString(value[lane]) : Long.toString(value[lane]);
    }
  }

  private static final class ToInteger extends FromInteger {
    private final boolean toUnsigned64;
    private final long least;
    private final long greatest;
    private final long[] result;

    ToInteger(DataType.Int from, DataType.Int to, CastRequest request) {
      this(from, to, request, new LongOutput(to));
    }

    private ToInteger(DataType.Int from, DataType.Int to, CastRequest request, LongOutput output) {
      super(from, request, new LongLane(), output);
      toUnsigned64 = !to.signed() && to.bits() == 64;
      least = IntegerRange.least(to);
      greatest = toUnsigned64 ? Long.MAX_VALUE : IntegerRange.greatest(to);
      result = output.values();
    }

    @Override
    boolean convert(int lane) {
      long number = value[lane];
      result[lane] = number;
      if (unsigned) {
        return toUnsigned64 || number >= 0 && number <= greatest;
      }
      return number >= least && number <= greatest;
    }
  }

  private static final class ToFloat extends FromInteger {
    private final double[] result;

    ToFloat(DataType.Int from, DataType.Float to, CastRequest request) {
      this(from, request, new DoubleOutput(to));
    }

    private ToFloat(DataType.Int from, CastRequest request, DoubleOutput output) {
      super(from, request, new LongLane(), output);
      result = output.values();
    }

    @Override
    boolean convert(int lane) {
      long number = value[lane];
      result[lane] =
          unsigned && number < 0
              ? new BigInteger(Long.toUnsignedString(number)).doubleValue()
              : number;
      return true;
    }
  }

  private static final class ToDecimal extends FromInteger {
    private final DataType.Decimal to;
    private final DecimalOutput output;
    private final long factor;

    ToDecimal(DataType.Int from, DataType.Decimal to, CastRequest request) {
      this(from, to, request, new DecimalOutput(to));
    }

    private ToDecimal(
        DataType.Int from, DataType.Decimal to, CastRequest request, DecimalOutput output) {
      super(from, request, new LongLane(), output);
      this.to = to;
      this.output = output;
      this.factor = to.scale() <= 18 ? Int128.powerOfTen(to.scale()) : 0;
    }

    @Override
    boolean convert(int lane) {
      long number = value[lane];
      if (factor == 0 || unsigned && number < 0) {
        BigInteger units = new BigInteger(describe(lane)).multiply(BigInteger.TEN.pow(to.scale()));
        output.high()[lane] = Int128.high(units);
        output.low()[lane] = Int128.low(units);
        return units.bitLength() < 128
            && Int128.fits(output.high()[lane], output.low()[lane], to.precision());
      }
      output.low()[lane] = number * factor;
      output.high()[lane] = Math.multiplyHigh(number, factor);
      return Int128.fits(output.high()[lane], output.low()[lane], to.precision());
    }
  }

  private static final class ToBoolean extends FromInteger {
    private final byte[] result;

    ToBoolean(DataType.Int from, CastRequest request) {
      this(from, request, new BooleanOutput());
    }

    private ToBoolean(DataType.Int from, CastRequest request, BooleanOutput output) {
      super(from, request, new LongLane(), output);
      result = output.values();
    }

    @Override
    boolean convert(int lane) {
      result[lane] = (byte) (value[lane] != 0 ? 1 : 0);
      return true;
    }
  }
}
