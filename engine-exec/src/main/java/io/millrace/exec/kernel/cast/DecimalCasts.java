package io.millrace.exec.kernel.cast;

import io.millrace.core.spi.ScalarKernel;
import io.millrace.core.type.DataType;
import io.millrace.exec.kernel.lane.BooleanOutput;
import io.millrace.exec.kernel.lane.DecimalLane;
import io.millrace.exec.kernel.lane.DecimalOutput;
import io.millrace.exec.kernel.lane.DoubleOutput;
import io.millrace.exec.kernel.lane.LongOutput;
import io.millrace.exec.kernel.lane.Output;
import io.millrace.exec.kernel.math.Int128;
import io.millrace.exec.kernel.math.IntegerRange;
import java.math.BigInteger;
import java.util.Optional;

/** Conversions of decimals to other numbers and booleans; rounded half away from zero. */
final class DecimalCasts {
  /** Whole numbers up to here are exact in float64, and so are powers of ten up to 10^22. */
  private static final long EXACT_IN_FLOAT64 = 1L << 53;

  private DecimalCasts() {}

  static Optional<ScalarKernel> of(DataType.Decimal from, CastRequest request) {
    return switch (request.to()) {
      case DataType.Int to -> Optional.of(new ToInteger(from, to, request));
      case DataType.Float to -> Optional.of(new ToFloat(from, to, request));
      case DataType.Decimal to -> Optional.of(new ToDecimal(from, to, request));
      case DataType.Bool to -> Optional.of(new ToBoolean(from, request));
      default -> Optional.empty();
    };
  }

  private abstract static class FromDecimal extends CastBlock {
    final int scale;
    final DecimalLane input;

    FromDecimal(DataType.Decimal from, CastRequest request, DecimalLane input, Output output) {
      super(request, input, output);
      this.scale = from.scale();
      this.input = input;
    }

    final boolean isNarrow(int lane) {
      return input.high()[lane] == input.low()[lane] >> 63;
    }

    final BigInteger units(int lane) {
      return Int128.toBigInteger(input.high()[lane], input.low()[lane]);
    }

    @Override
    final String describe(int lane) {
      return Int128.toDecimal(input.high()[lane], input.low()[lane], scale).toPlainString();
    }
  }

  private static final class ToInteger extends FromDecimal {
    private final DataType.Int to;
    private final long[] result;

    ToInteger(DataType.Decimal from, DataType.Int to, CastRequest request) {
      this(from, to, request, new LongOutput(to));
    }

    private ToInteger(
        DataType.Decimal from, DataType.Int to, CastRequest request, LongOutput output) {
      super(from, request, new DecimalLane(), output);
      this.to = to;
      this.result = output.values();
    }

    @Override
    boolean convert(int lane) {
      if (isNarrow(lane) && scale <= 18) {
        long whole = Int128.divideRounded(input.low()[lane], Int128.powerOfTen(scale));
        result[lane] = whole;
        return whole >= IntegerRange.least(to)
            && (whole <= IntegerRange.greatest(to) || !to.signed() && to.bits() == 64);
      }
      BigInteger whole = Int128.rescale(units(lane), scale, 0);
      result[lane] = whole.longValue();
      return to.signed()
          ? whole.bitLength() < to.bits()
          : whole.signum() >= 0 && whole.bitLength() <= to.bits();
    }
  }

  private static final class ToFloat extends FromDecimal {
    private final double[] result;

    ToFloat(DataType.Decimal from, DataType.Float to, CastRequest request) {
      this(from, request, new DoubleOutput(to));
    }

    private ToFloat(DataType.Decimal from, CastRequest request, DoubleOutput output) {
      super(from, request, new DecimalLane(), output);
      this.result = output.values();
    }

    @Override
    boolean convert(int lane) {
      long low = input.low()[lane];
      // A quotient of two exact numbers is the nearest float64.
      boolean exact =
          isNarrow(lane) && scale <= 18 && low <= EXACT_IN_FLOAT64 && low >= -EXACT_IN_FLOAT64;
      result[lane] =
          exact
              ? (double) low / Int128.powerOfTen(scale)
              : Int128.toDecimal(input.high()[lane], low, scale).doubleValue();
      return true;
    }
  }

  private static final class ToDecimal extends FromDecimal {
    private final DataType.Decimal to;
    private final DecimalOutput output;

    ToDecimal(DataType.Decimal from, DataType.Decimal to, CastRequest request) {
      this(from, to, request, new DecimalOutput(to));
    }

    private ToDecimal(
        DataType.Decimal from, DataType.Decimal to, CastRequest request, DecimalOutput output) {
      super(from, request, new DecimalLane(), output);
      this.to = to;
      this.output = output;
    }

    @Override
    boolean convert(int lane) {
      int shift = to.scale() - scale;
      long low = input.low()[lane];
      if (shift == 0) {
        output.low()[lane] = low;
        output.high()[lane] = input.high()[lane];
      } else if (isNarrow(lane) && shift > 0 && shift <= 18) {
        output.low()[lane] = low * Int128.powerOfTen(shift);
        output.high()[lane] = Math.multiplyHigh(low, Int128.powerOfTen(shift));
      } else if (isNarrow(lane) && shift < 0 && shift >= -18) {
        long rounded = Int128.divideRounded(low, Int128.powerOfTen(-shift));
        output.low()[lane] = rounded;
        output.high()[lane] = rounded >> 63;
      } else {
        BigInteger units = Int128.rescale(units(lane), scale, to.scale());
        output.low()[lane] = Int128.low(units);
        output.high()[lane] = Int128.high(units);
        if (units.bitLength() > 127) {
          return false;
        }
      }
      return Int128.fits(output.high()[lane], output.low()[lane], to.precision());
    }
  }

  private static final class ToBoolean extends FromDecimal {
    private final byte[] result;

    ToBoolean(DataType.Decimal from, CastRequest request) {
      this(from, request, new BooleanOutput());
    }

    private ToBoolean(DataType.Decimal from, CastRequest request, BooleanOutput output) {
      super(from, request, new DecimalLane(), output);
      this.result = output.values();
    }

    @Override
    boolean convert(int lane) {
      result[lane] = (byte) ((input.low()[lane] | input.high()[lane]) != 0 ? 1 : 0);
      return true;
    }
  }
}
