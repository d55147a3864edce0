package io.millrace.exec.kernel.cast;

import io.millrace.core.spi.ScalarKernel;
import io.millrace.core.type.DataType;
import io.millrace.exec.kernel.lane.BooleanOutput;
import io.millrace.exec.kernel.lane.DecimalOutput;
import io.millrace.exec.kernel.lane.DoubleLane;
import io.millrace.exec.kernel.lane.DoubleOutput;
import io.millrace.exec.kernel.lane.LongOutput;
import io.millrace.exec.kernel.lane.Output;
import io.millrace.exec.kernel.math.Int128;
import io.millrace.exec.kernel.math.IntegerRange;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.Optional;

/**
 * Conversions of floats to other numbers and booleans. Integers are rounded half to even, as in
 * PostgreSQL; decimals half away from zero from the shortest text of the float.
 */
final class FloatCasts {
  private FloatCasts() {}

  static Optional<ScalarKernel> of(DataType.Float from, CastRequest request) {
    return switch (request.to()) {
      case DataType.Int to -> Optional.of(new ToInteger(from, to, request));
      case DataType.Float to -> Optional.of(new ToFloat(from, to, request));
      case DataType.Decimal to -> Optional.of(new ToDecimal(from, to, request));
      case DataType.Bool to -> Optional.of(new ToBoolean(from, request));
      default -> Optional.empty();
    };
  }

  private abstract static class FromFloat extends CastBlock {
    private final boolean wide;
    final double[] value;

    FromFloat(DataType.Float from, CastRequest request, DoubleLane input, Output output) {
      super(request, input, output);
      this.wide = from.bits() == 64;
      this.value = input.values();
    }

    @Override
    final String describe(int lane) {
      return wide ? Double.toString(value[lane]) : Float.toString((float) value[lane]);
    }
  }

  private static final class ToInteger extends FromFloat {
    private final DataType.Int to;
    private final long[] result;

    /** The first whole number above the type. */
    private final double limit;

    ToInteger(DataType.Float from, DataType.Int to, CastRequest request) {
      this(from, to, request, new LongOutput(to));
    }

    private ToInteger(
        DataType.Float from, DataType.Int to, CastRequest request, LongOutput output) {
      super(from, request, new DoubleLane(), output);
      this.to = to;
      this.result = output.values();
      this.limit = Math.scalb(1.0, to.signed() ? to.bits() - 1 : to.bits());
    }

    @Override
    boolean convert(int lane) {
      double whole = Math.rint(value[lane]);
      // A positive uint64 from 2^63 on is out of the range of a cast to long.
      result[lane] =
          whole >= 0x1p63 && !to.signed() ? (long) (whole - 0x1p63) ^ Long.MIN_VALUE : (long) whole;
      return whole >= IntegerRange.least(to) && whole < limit;
    }
  }

  private static final class ToFloat extends FromFloat {
    private final double[] result;

    ToFloat(DataType.Float from, DataType.Float to, CastRequest request) {
      this(from, request, new DoubleOutput(to));
    }

    private ToFloat(DataType.Float from, CastRequest request, DoubleOutput output) {
      super(from, request, new DoubleLane(), output);
      this.result = output.values();
    }

    @Override
    boolean convert(int lane) {
      result[lane] = value[lane];
      return true;
    }
  }

  private static final class ToDecimal extends FromFloat {
    private final DataType.Decimal to;
    private final DecimalOutput output;

    ToDecimal(DataType.Float from, DataType.Decimal to, CastRequest request) {
      this(from, to, request, new DecimalOutput(to));
    }

    private ToDecimal(
        DataType.Float from, DataType.Decimal to, CastRequest request, DecimalOutput output) {
      super(from, request, new DoubleLane(), output);
      this.to = to;
      this.output = output;
    }

    @Override
    boolean convert(int lane) {
      double number = value[lane];
      output.low()[lane] = 0;
      output.high()[lane] = 0;
      if (!Double.isFinite(number)) {
        return false;
      }
      BigInteger units =
          new BigDecimal(describe(lane)).setScale(to.scale(), RoundingMode.HALF_UP).unscaledValue();
      if (units.bitLength() > 127) {
        return false;
      }
      output.low()[lane] = Int128.low(units);
      output.high()[lane] = Int128.high(units);
      return Int128.fits(output.high()[lane], output.low()[lane], to.precision());
    }
  }

  private static final class ToBoolean extends FromFloat {
    private final byte[] result;

    ToBoolean(DataType.Float from, CastRequest request) {
      this(from, request, new BooleanOutput());
    }

    private ToBoolean(DataType.Float from, CastRequest request, BooleanOutput output) {
      super(from, request, new DoubleLane(), output);
      this.result = output.values();
    }

    @Override
    boolean convert(int lane) {
      result[lane] = (byte) (value[lane] != 0 ? 1 : 0);
      return true;
    }
  }
}
