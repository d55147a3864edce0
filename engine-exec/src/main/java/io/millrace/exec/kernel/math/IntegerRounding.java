package io.millrace.exec.kernel.math;

import io.millrace.core.error.MillraceException;
import io.millrace.core.type.DataType;
import io.millrace.exec.kernel.BlockKernel;
import io.millrace.exec.kernel.NumericFaults;
import io.millrace.exec.kernel.lane.Lane;
import io.millrace.exec.kernel.lane.LongLane;
import io.millrace.exec.kernel.lane.LongOutput;
import java.math.BigDecimal;
import java.math.BigInteger;

/** Rounding of integers: only negative digits change them. */
final class IntegerRounding extends BlockKernel {
  private final Rounding rounding;
  private final DataType.Int type;
  private final LongLane input;
  private final LongLane digits;
  private final long[] result;
  private final boolean[] failed = new boolean[Lane.BLOCK_ROWS];

  IntegerRounding(Rounding rounding, DataType.Int type, boolean withDigits) {
    this(rounding, type, new LongLane(), withDigits ? new LongLane() : null, new LongOutput(type));
  }

  private IntegerRounding(
      Rounding rounding, DataType.Int type, LongLane input, LongLane digits, LongOutput output) {
    super(output, digits == null ? new Lane[] {input} : new Lane[] {input, digits});
    this.rounding = rounding;
    this.type = type;
    this.input = input;
    this.digits = digits;
    this.result = output.values();
  }

  @Override
  protected boolean compute(int count) {
    boolean any = false;
    for (int lane = 0; lane < count; lane++) {
      long value = input.values()[lane];
      failed[lane] = false;
      if (digits == null || digits.values()[lane] >= 0) {
        result[lane] = value;
      } else {
        any |= roundAt(lane, value);
      }
    }
    return any;
  }

  private boolean roundAt(int lane, long value) {
    // Beyond 21 digits every integer of 64 bits becomes 0.
    int scale = (int) Math.max(digits.values()[lane], -21);
    BigInteger whole =
        new BigDecimal(type.signed() ? Long.toString(value) : Long.toUnsignedString(value))
            .setScale(scale, rounding.mode())
            .toBigInteger();
    result[lane] = whole.longValue();
    failed[lane] =
        type.signed() ? whole.bitLength() >= type.bits() : whole.bitLength() > type.bits();
    return failed[lane];
  }

  @Override
  protected boolean isFaulty(int lane) {
    return failed[lane];
  }

  @Override
  protected MillraceException fault(int lane) {
    return NumericFaults.overflow(rounding.function(), input.values()[lane], type);
  }
}
