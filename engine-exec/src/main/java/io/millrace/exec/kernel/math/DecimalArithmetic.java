package io.millrace.exec.kernel.math;

import io.millrace.core.error.MillraceException;
import io.millrace.core.type.DataType;
import io.millrace.exec.kernel.BlockKernel;
import io.millrace.exec.kernel.NumericFaults;
import io.millrace.exec.kernel.lane.DecimalLane;
import io.millrace.exec.kernel.lane.DecimalOutput;
import io.millrace.exec.kernel.lane.Lane;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;

/**
 * The operations on decimals. Blocks whose values fit 64 bits run in primitive arithmetic with
 * 128-bit results, wider sums and products in that of two halves; quotients of them, and results
 * that lose scale or do not fit, value by value with big integers. Results are rounded half away
 * from zero.
 */
final class DecimalArithmetic extends BlockKernel {
  /** Numbers of so many digits, and powers of ten, fit 64 bits. */
  private static final int LONG_DIGITS = 18;

  private final Operation operation;
  private final boolean faultGivesNull;
  private final DataType.Decimal leftType;
  private final DataType.Decimal rightType;
  private final DataType.Decimal type;
  private final DecimalLane left;
  private final DecimalLane right;
  private final long[] high;
  private final long[] low;
  private final boolean[] failed = new boolean[Lane.BLOCK_ROWS];

  DecimalArithmetic(
      Operation operation,
      DataType.Decimal leftType,
      DataType.Decimal rightType,
      DataType.Decimal type,
      boolean faultGivesNull) {
    this(
        operation,
        leftType,
        rightType,
        type,
        faultGivesNull,
        new DecimalLane(),
        new DecimalLane(),
        new DecimalOutput(type));
  }

  private DecimalArithmetic(
      Operation operation,
      DataType.Decimal leftType,
      DataType.Decimal rightType,
      DataType.Decimal type,
      boolean faultGivesNull,
      DecimalLane left,
      DecimalLane right,
      DecimalOutput output) {
    super(output, left, right);
    this.operation = operation;
    this.faultGivesNull = faultGivesNull;
    this.leftType = leftType;
    this.rightType = rightType;
    this.type = type;
    this.left = left;
    this.right = right;
    this.high = output.high();
    this.low = output.low();
  }

  @Override
  protected boolean compute(int count) {
    boolean narrow = left.isNarrow() && right.isNarrow();
    return switch (operation) {
      case ADD, SUBTRACT -> sum(narrow, count);
      case MULTIPLY ->
          narrow && type.scale() == leftType.scale() + rightType.scale()
              ? multiplyNarrow(count)
              : exact(count);
      case DIVIDE -> narrow ? divideNarrow(count) : exact(count);
      case REMAINDER ->
          narrow && leftType.scale() == rightType.scale() ? remainderNarrow(count) : exact(count);
    };
  }

  private boolean sum(boolean narrow, int count) {
    int leftShift = type.scale() - leftType.scale();
    int rightShift = type.scale() - rightType.scale();
    boolean fits =
        narrow
            && Math.min(leftShift, rightShift) >= 0
            && Math.max(leftShift, rightShift) <= LONG_DIGITS;
    if (!fits) {
      return exact(count);
    }
    long sign = operation == Operation.ADD ? 1 : -1;
    long leftFactor = Int128.powerOfTen(leftShift);
    long rightFactor = sign * Int128.powerOfTen(rightShift);
    if (type.precision() <= LONG_DIGITS) {
      sumShort(leftFactor, rightFactor, count);
    } else {
      sumNarrow(leftFactor, rightFactor, count);
    }
    return false;
  }

  /** The type has room for every sum of its arguments: 18 digits stay within 64 bits. */
  private void sumShort(long leftFactor, long rightFactor, int count) {
    long[] first = left.low();
    long[] second = right.low();
    for (int lane = 0; lane < count; lane++) {
      long sum = first[lane] * leftFactor + second[lane] * rightFactor;
      low[lane] = sum;
      high[lane] = sum >> 63;
    }
  }

  /** Factors below 10^18 keep products below 2^123: the sum of two is no problem. */
  private void sumNarrow(long leftFactor, long rightFactor, int count) {
    long[] first = left.low();
    long[] second = right.low();
    for (int lane = 0; lane < count; lane++) {
      long firstLow = first[lane] * leftFactor;
      long secondLow = second[lane] * rightFactor;
      long sum = firstLow + secondLow;
      long carry = (firstLow & secondLow | (firstLow | secondLow) & ~sum) >>> 63;
      low[lane] = sum;
      high[lane] =
          Math.multiplyHigh(first[lane], leftFactor)
              + Math.multiplyHigh(second[lane], rightFactor)
              + carry;
    }
  }

  /** A product of two 64-bit values is below 2^126, which 38 digits hold. */
  private boolean multiplyNarrow(int count) {
    long[] first = left.low();
    long[] second = right.low();
    for (int lane = 0; lane < count; lane++) {
      low[lane] = first[lane] * second[lane];
      high[lane] = Math.multiplyHigh(first[lane], second[lane]);
    }
    return false;
  }

  private boolean divideNarrow(int count) {
    int shift = type.scale() - leftType.scale() + rightType.scale();
    if (shift < 0 || shift > 18) {
      return exact(count);
    }
    long factor = Int128.powerOfTen(shift);
    boolean any = false;
    for (int lane = 0; lane < count; lane++) {
      long dividend = left.low()[lane];
      long divisor = right.low()[lane];
      long scaled = dividend * factor;
      boolean plain =
          divisor != 0
              && divisor != Long.MIN_VALUE
              && scaled != Long.MIN_VALUE
              && Math.multiplyHigh(dividend, factor) == scaled >> 63;
      if (plain) {
        failed[lane] = false;
        store(lane, divideRounded(scaled, divisor));
      } else {
        any |= exactAt(lane);
      }
    }
    return any;
  }

  private static long divideRounded(long dividend, long divisor) {
    long quotient = dividend / divisor;
    long remainder = Math.abs(dividend - quotient * divisor);
    // Half of the divisor or more: |remainder| ≥ |divisor| − |remainder|, which cannot overflow.
    return remainder >= Math.abs(divisor) - remainder
        ? quotient + ((dividend ^ divisor) < 0 ? -1 : 1)
        : quotient;
  }

  private boolean remainderNarrow(int count) {
    boolean any = false;
    for (int lane = 0; lane < count; lane++) {
      long divisor = right.low()[lane];
      failed[lane] = divisor == 0;
      any |= divisor == 0;
      store(lane, left.low()[lane] % (divisor == 0 ? 1 : divisor));
    }
    return any;
  }

  private void store(int lane, long value) {
    low[lane] = value;
    high[lane] = value >> 63;
  }

  private boolean exact(int count) {
    boolean any = false;
    for (int lane = 0; lane < count; lane++) {
      if (isWide(lane)) {
        failed[lane] = false;
      } else {
        any |= exactAt(lane);
      }
    }
    return any;
  }

  /** Computes one element in 128 bits; false when that is too few, or the operation is another. */
  private boolean isWide(int lane) {
    long firstHigh = left.high()[lane];
    long firstLow = left.low()[lane];
    long secondHigh = right.high()[lane];
    long secondLow = right.low()[lane];
    boolean done =
        switch (operation) {
          case MULTIPLY ->
              type.scale() == leftType.scale() + rightType.scale()
                  && Int128.multiply(firstHigh, firstLow, secondHigh, secondLow, high, low, lane);
          case ADD, SUBTRACT -> sumWide(lane, firstHigh, firstLow, secondHigh, secondLow);
          case DIVIDE, REMAINDER -> false;
        };
    return done && Int128.fits(high[lane], low[lane], type.precision());
  }

  private boolean sumWide(
      int lane, long firstHigh, long firstLow, long secondHigh, long secondLow) {
    int leftShift = type.scale() - leftType.scale();
    int rightShift = type.scale() - rightType.scale();
    if (leftShift < 0
        || rightShift < 0
        || !Int128.scaleUp(secondHigh, secondLow, rightShift, high, low, lane)) {
      return false;
    }
    long otherHigh = high[lane];
    long otherLow = low[lane];
    if (operation == Operation.SUBTRACT) {
      otherLow = -otherLow;
      otherHigh = ~otherHigh + (otherLow == 0 ? 1 : 0);
    }
    return Int128.scaleUp(firstHigh, firstLow, leftShift, high, low, lane)
        && Int128.add(high[lane], low[lane], otherHigh, otherLow, high, low, lane);
  }

  /** Computes one element with big numbers; gives whether it failed. */
  private boolean exactAt(int lane) {
    BigDecimal first = leftAt(lane);
    BigDecimal second = rightAt(lane);
    boolean divides = operation == Operation.DIVIDE || operation == Operation.REMAINDER;
    if (divides && second.signum() == 0) {
      failed[lane] = true;
      return true;
    }
    BigDecimal value =
        switch (operation) {
          case ADD -> first.add(second);
          case SUBTRACT -> first.subtract(second);
          case MULTIPLY -> first.multiply(second);
          case DIVIDE -> first.divide(second, type.scale(), RoundingMode.HALF_UP);
          case REMAINDER -> first.remainder(second);
        };
    BigInteger units = value.setScale(type.scale(), RoundingMode.HALF_UP).unscaledValue();
    high[lane] = Int128.high(units);
    low[lane] = Int128.low(units);
    failed[lane] = units.bitLength() > 127 || !Int128.fits(high[lane], low[lane], type.precision());
    return failed[lane];
  }

  private BigDecimal leftAt(int lane) {
    return Int128.toDecimal(left.high()[lane], left.low()[lane], leftType.scale());
  }

  private BigDecimal rightAt(int lane) {
    return Int128.toDecimal(right.high()[lane], right.low()[lane], rightType.scale());
  }

  @Override
  protected boolean isFaulty(int lane) {
    return failed[lane];
  }

  @Override
  protected MillraceException fault(int lane) {
    String first = leftAt(lane).toPlainString();
    BigDecimal second = rightAt(lane);
    boolean divides = operation == Operation.DIVIDE || operation == Operation.REMAINDER;
    return divides && second.signum() == 0
        ? NumericFaults.divisionByZero(operation.function(), first)
        : NumericFaults.overflow(operation.function(), first, second.toPlainString(), type);
  }

  @Override
  protected boolean faultGivesNull() {
    return faultGivesNull;
  }
}
