package io.millrace.exec.kernel.math;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;

/** 128-bit two's complement numbers as two longs, and powers of ten. */
public final class Int128 {
  /** 10^38: the least number that a decimal of 38 digits cannot hold. */
  private static final BigInteger LIMIT_38 = BigInteger.TEN.pow(38);

  private static final BigInteger LONG_MASK = BigInteger.TWO.pow(64).subtract(BigInteger.ONE);
  private static final long[] POWERS = new long[19];
  private static final long[] HIGH_POWERS = new long[39];
  private static final long[] LOW_POWERS = new long[39];

  static {
    POWERS[0] = 1;
    for (int digits = 1; digits < POWERS.length; digits++) {
      POWERS[digits] = POWERS[digits - 1] * 10;
    }
    for (int digits = 0; digits < HIGH_POWERS.length; digits++) {
      BigInteger power = BigInteger.TEN.pow(digits);
      HIGH_POWERS[digits] = power.shiftRight(64).longValue();
      LOW_POWERS[digits] = power.longValue();
    }
  }

  private Int128() {}

  /** 10 to this power, 0 to 18. */
  public static long powerOfTen(int digits) {
    return POWERS[digits];
  }

  /** Whether the absolute value is below 10^digits; digits are 1 to 38. */
  public static boolean fits(long high, long low, int digits) {
    long negative = high >> 63;
    long absoluteLow = (low ^ negative) - negative;
    long absoluteHigh = (high ^ negative) + (absoluteLow == 0 && negative != 0 ? 1 : 0);
    if (absoluteHigh < 0) {
      return false;
    }
    return absoluteHigh != HIGH_POWERS[digits]
        ? absoluteHigh < HIGH_POWERS[digits]
        : Long.compareUnsigned(absoluteLow, LOW_POWERS[digits]) < 0;
  }

  public static int compare(long leftHigh, long leftLow, long rightHigh, long rightLow) {
    int order = Long.compare(leftHigh, rightHigh);
    return order != 0 ? order : Long.compareUnsigned(leftLow, rightLow);
  }

  /**
   * Writes a sum to element {@code at} of the halves.
   *
   * @return false when it does not fit 128 bits; then anything is written
   */
  public static boolean add(
      long leftHigh, long leftLow, long rightHigh, long rightLow, long[] high, long[] low, int at) {
    long sumLow = leftLow + rightLow;
    long carry = Long.compareUnsigned(sumLow, leftLow) < 0 ? 1 : 0;
    long sumHigh = leftHigh + rightHigh + carry;
    low[at] = sumLow;
    high[at] = sumHigh;
    // Overflow: both signs differ from the result's. The carry cannot hide it: it only moves the
    // sum of two numbers of one sign towards the other.
    return ((leftHigh ^ sumHigh) & (rightHigh ^ sumHigh)) >= 0;
  }

  /**
   * Writes a product to element {@code at} of the halves.
   *
   * @return false when it does not fit 128 bits; then anything is written
   */
  public static boolean multiply(
      long leftHigh, long leftLow, long rightHigh, long rightLow, long[] high, long[] low, int at) {
    long leftSign = leftHigh >> 63;
    long rightSign = rightHigh >> 63;
    // Magnitudes as unsigned numbers: that of the least number fits too.
    long aLow = (leftLow ^ leftSign) - leftSign;
    long aHigh = (leftHigh ^ leftSign) + (leftSign != 0 && aLow == 0 ? 1 : 0);
    long bLow = (rightLow ^ rightSign) - rightSign;
    long bHigh = (rightHigh ^ rightSign) + (rightSign != 0 && bLow == 0 ? 1 : 0);
    if (aHigh != 0 && bHigh != 0) {
      return false;
    }
    long upper = Math.unsignedMultiplyHigh(aLow, bLow);
    // One of the factors below is 0.
    long cross = aHigh * bLow + aLow * bHigh;
    long crossHigh =
        aHigh != 0
            ? Math.unsignedMultiplyHigh(aHigh, bLow)
            : Math.unsignedMultiplyHigh(aLow, bHigh);
    long sum = upper + cross;
    if (crossHigh != 0 || sum < 0 || Long.compareUnsigned(sum, upper) < 0) {
      return false;
    }
    long sign = leftSign ^ rightSign;
    long product = aLow * bLow;
    long signedLow = (product ^ sign) - sign;
    low[at] = signedLow;
    high[at] = (sum ^ sign) + (sign != 0 && signedLow == 0 ? 1 : 0);
    return true;
  }

  /**
   * Writes a number times a power of ten, 0 to 38, to element {@code at} of the halves.
   *
   * @return false when it does not fit 128 bits; then anything is written
   */
  public static boolean scaleUp(
      long valueHigh, long valueLow, int digits, long[] high, long[] low, int at) {
    return multiply(valueHigh, valueLow, HIGH_POWERS[digits], LOW_POWERS[digits], high, low, at);
  }

  public static BigInteger toBigInteger(long high, long low) {
    return high == low >> 63
        ? BigInteger.valueOf(low)
        : BigInteger.valueOf(high).shiftLeft(64).or(BigInteger.valueOf(low).and(LONG_MASK));
  }

  public static long high(BigInteger value) {
    return value.shiftRight(64).longValue();
  }

  public static long low(BigInteger value) {
    return value.longValue();
  }

  /** Whether a decimal of 38 digits cannot hold the value. */
  public static boolean isBeyond38Digits(BigInteger value) {
    return value.abs().compareTo(LIMIT_38) >= 0;
  }

  /** The number with this scale, as a decimal. */
  public static BigDecimal toDecimal(long high, long low, int scale) {
    return new BigDecimal(toBigInteger(high, low), scale);
  }

  /** The units of the value at another scale, rounded half away from zero. */
  public static BigInteger rescale(BigInteger units, int fromScale, int toScale) {
    return fromScale == toScale
        ? units
        : new BigDecimal(units, fromScale).setScale(toScale, RoundingMode.HALF_UP).unscaledValue();
  }

  /** A count of units divided by a positive power of ten, rounded half away from zero. */
  public static long divideRounded(long units, long power) {
    long quotient = units / power;
    long remainder = units - quotient * power;
    // |remainder| < power ≤ 10^18, so that twice it stays within 64 bits.
    long twice = 2 * Math.abs(remainder);
    return twice >= power ? quotient + (units < 0 ? -1 : 1) : quotient;
  }
}
