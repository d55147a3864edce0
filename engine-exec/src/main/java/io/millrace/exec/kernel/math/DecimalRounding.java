package io.millrace.exec.kernel.math;

import io.millrace.core.error.MillraceException;
import io.millrace.core.type.DataType;
import io.millrace.exec.kernel.BlockKernel;
import io.millrace.exec.kernel.NumericFaults;
import io.millrace.exec.kernel.lane.DecimalLane;
import io.millrace.exec.kernel.lane.DecimalOutput;
import io.millrace.exec.kernel.lane.Lane;
import io.millrace.exec.kernel.lane.LongLane;
import java.math.BigDecimal;
import java.math.BigInteger;

/** Rounding of decimals; the result has its type's scale. */
final class DecimalRounding extends BlockKernel {
  private final Rounding rounding;
  private final int scale;
  private final DataType.Decimal type;
  private final DecimalLane input;
  private final LongLane digits;
  private final DecimalOutput output;
  private final boolean[] failed = new boolean[Lane.BLOCK_ROWS];

  DecimalRounding(
      Rounding rounding, DataType.Decimal argument, DataType.Decimal type, boolean withDigits) {
    this(
        rounding,
        argument,
        type,
        new DecimalLane(),
        withDigits ? new LongLane() : null,
        new DecimalOutput(type));
  }

  private DecimalRounding(
      Rounding rounding,
      DataType.Decimal argument,
      DataType.Decimal type,
      DecimalLane input,
      LongLane digits,
      DecimalOutput output) {
    super(output, digits == null ? new Lane[] {input} : new Lane[] {input, digits});
    this.rounding = rounding;
    this.scale = argument.scale();
    this.type = type;
    this.input = input;
    this.digits = digits;
    this.output = output;
  }

  @Override
  protected boolean compute(int count) {
    boolean narrow = input.isNarrow() && type.scale() <= scale;
    boolean any = false;
    for (int lane = 0; lane < count; lane++) {
      long places = digits == null ? 0 : digits.values()[lane];
      // The digits that are cut off, kept within what the types can have.
      long cut = Math.max(0, scale - Math.max(places, -DataType.Decimal.PRECISION_LIMIT));
      if (narrow && cut <= 18) {
        roundNarrow(lane, (int) cut);
      } else {
        roundWide(lane, (int) (scale - cut));
      }
      failed[lane] =
          failed[lane] || !Int128.fits(output.high()[lane], output.low()[lane], type.precision());
      any |= failed[lane];
    }
    return any;
  }

  /** Cuts digits, then drops the zeros that the result's scale does not have. */
  private void roundNarrow(int lane, int cut) {
    long power = Int128.powerOfTen(cut);
    long units = input.low()[lane];
    long quotient =
        switch (rounding) {
          case CEILING -> Math.ceilDiv(units, power);
          case FLOOR -> Math.floorDiv(units, power);
          case TOWARDS_ZERO -> units / power;
          case HALF_AWAY -> Int128.divideRounded(units, power);
        };
    int drop = scale - type.scale();
    failed[lane] = false;
    if (drop >= cut) {
      store(lane, quotient / Int128.powerOfTen(drop - cut), 1);
    } else {
      store(lane, quotient, Int128.powerOfTen(cut - drop));
    }
  }

  private void store(int lane, long value, long factor) {
    output.low()[lane] = value * factor;
    output.high()[lane] = Math.multiplyHigh(value, factor);
  }

  private void roundWide(int lane, int places) {
    BigInteger units =
        Int128.toDecimal(input.high()[lane], input.low()[lane], scale)
            .setScale(places, rounding.mode())
            .setScale(type.scale())
            .unscaledValue();
    failed[lane] = units.bitLength() > 127;
    output.low()[lane] = Int128.low(units);
    output.high()[lane] = Int128.high(units);
  }

  @Override
  protected boolean isFaulty(int lane) {
    return failed[lane];
  }

  @Override
  protected MillraceException fault(int lane) {
    BigDecimal value = Int128.toDecimal(input.high()[lane], input.low()[lane], scale);
    return NumericFaults.overflow(rounding.function(), value.toPlainString(), type);
  }
}
