package io.millrace.exec.kernel.math;

import io.millrace.core.type.DataType;
import io.millrace.exec.kernel.BlockKernel;
import io.millrace.exec.kernel.lane.DoubleLane;
import io.millrace.exec.kernel.lane.DoubleOutput;
import io.millrace.exec.kernel.lane.Lane;
import io.millrace.exec.kernel.lane.LongLane;

/** Rounding of floats by a power of ten; NaN and infinities stay. */
final class FloatRounding extends BlockKernel {
  private static final int DIGIT_LIMIT = 308;

  private final Rounding rounding;
  private final double[] value;
  private final LongLane digits;
  private final double[] result;

  FloatRounding(Rounding rounding, DataType.Float type, boolean withDigits) {
    this(rounding, new DoubleLane(), withDigits ? new LongLane() : null, new DoubleOutput(type));
  }

  private FloatRounding(Rounding rounding, DoubleLane input, LongLane digits, DoubleOutput output) {
    super(output, digits == null ? new Lane[] {input} : new Lane[] {input, digits});
    this.rounding = rounding;
    this.value = input.values();
    this.digits = digits;
    this.result = output.values();
  }

  @Override
  protected boolean compute(int count) {
    for (int lane = 0; lane < count; lane++) {
      long places = digits == null ? 0 : digits.values()[lane];
      result[lane] = places == 0 ? whole(value[lane]) : rounded(value[lane], places);
    }
    return false;
  }

  private double rounded(double number, long places) {
    if (places > DIGIT_LIMIT) {
      return number;
    }
    if (places < -DIGIT_LIMIT) {
      return 0.0;
    }
    double power = Math.pow(10, Math.abs(places));
    double scaled = places > 0 ? number * power : number / power;
    if (!Double.isFinite(scaled)) {
      return number;
    }
    return places > 0 ? whole(scaled) / power : whole(scaled) * power;
  }

  private double whole(double number) {
    return switch (rounding) {
      case CEILING -> Math.ceil(number);
      case FLOOR -> Math.floor(number);
      case TOWARDS_ZERO -> number < 0 ? Math.ceil(number) : Math.floor(number);
      case HALF_AWAY -> halfAway(number);
    };
  }

  private static double halfAway(double number) {
    double absolute = Math.abs(number);
    double lower = Math.floor(absolute);
    // The difference is exact; adding one half first would round 0.49999999999999994 up.
    return Math.copySign(absolute - lower >= 0.5 ? lower + 1 : lower, number);
  }
}
