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
