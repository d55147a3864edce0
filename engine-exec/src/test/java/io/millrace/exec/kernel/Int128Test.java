package io.millrace.exec.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.exec.kernel.math.Int128;
import java.math.BigInteger;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Arithmetic in two halves gives what big integers give, and says when 128 bits are too few. */
class Int128Test {
  private static final BigInteger LEAST = BigInteger.TWO.pow(127).negate();
  private static final BigInteger[] CORNERS = {
    BigInteger.ZERO,
    BigInteger.ONE,
    BigInteger.ONE.negate(),
    BigInteger.valueOf(Long.MAX_VALUE),
    BigInteger.valueOf(Long.MIN_VALUE),
    BigInteger.TWO.pow(64),
    BigInteger.TWO.pow(64).negate(),
    BigInteger.TWO.pow(64).subtract(BigInteger.ONE),
    BigInteger.TWO.pow(63),
    LEAST,
    LEAST.add(BigInteger.ONE),
    LEAST.not(),
    BigInteger.TEN.pow(37),
    BigInteger.TEN.pow(19).negate(),
  };

  private final long[] high = new long[1];
  private final long[] low = new long[1];

  private static BigInteger number(Random random) {
    if (random.nextInt(4) == 0) {
      return CORNERS[random.nextInt(CORNERS.length)];
    }
    BigInteger magnitude = new BigInteger(1 + random.nextInt(126), random);
    return random.nextBoolean() ? magnitude : magnitude.negate();
  }

  private void check(BigInteger expected, boolean fits, String what) {
    // The least number's magnitude has 128 bits; it may be refused.
    if (expected.equals(LEAST) && !fits) {
      return;
    }
    assertEquals(expected.bitLength() <= 127, fits, what);
    if (fits) {
      assertEquals(expected, Int128.toBigInteger(high[0], low[0]), what);
    }
  }

  @Test
  void sumsAndProducts() {
    Random random = new Random(5);
    for (int round = 0; round < 200_000; round++) {
      BigInteger left = number(random);
      BigInteger right = number(random);
      long leftHigh = Int128.high(left);
      long leftLow = Int128.low(left);
      long rightHigh = Int128.high(right);
      long rightLow = Int128.low(right);
      check(
          left.add(right),
          Int128.add(leftHigh, leftLow, rightHigh, rightLow, high, low, 0),
          left + " + " + right);
      check(
          left.multiply(right),
          Int128.multiply(leftHigh, leftLow, rightHigh, rightLow, high, low, 0),
          left + " * " + right);
    }
  }

  @Test
  void powersOfTen() {
    Random random = new Random(6);
    for (int round = 0; round < 50_000; round++) {
      BigInteger value = number(random);
      int digits = random.nextInt(39);
      check(
          value.multiply(BigInteger.TEN.pow(digits)),
          Int128.scaleUp(Int128.high(value), Int128.low(value), digits, high, low, 0),
          value + " * 10^" + digits);
    }
  }
}
