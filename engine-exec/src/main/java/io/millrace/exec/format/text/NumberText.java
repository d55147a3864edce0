package io.millrace.exec.format.text;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;

/**
 * Reads numbers from text without making strings. One of these per reader: it holds the last
 * result.
 */
public final class NumberText {
  /** Integers up to this are exact in a double. */
  private static final long EXACT_DOUBLE_LIMIT = 1L << 53;

  private static final int MANTISSA_DIGITS = 18;

  private static final double[] POWERS_OF_TEN = {
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22
  };

  private long integer;
  private double real;

  /** The integer that {@link #readInteger} read. */
  public long integer() {
    return integer;
  }

  /** The number that {@link #readReal} read. */
  public double real() {
    return real;
  }

  /** Whether the range is a decimal integer of 64 bits, with an optional sign. */
  public boolean readInteger(byte[] text, int from, int to) {
    int at = from;
    boolean negative = false;
    if (at < to && (text[at] == '-' || text[at] == '+')) {
      negative = text[at] == '-';
      at++;
    }
    int digits = to - at;
    if (digits <= 0) {
      return false;
    }
    long value = 0;
    int safeEnd = Math.min(to, at + MANTISSA_DIGITS);
    for (; at < safeEnd; at++) {
      int digit = text[at] - '0';
      if (digit < 0 || digit > 9) {
        return false;
      }
      value = value * 10 - digit;
    }
    // Counted below zero, where one more value fits.
    for (; at < to; at++) {
      int digit = text[at] - '0';
      if (digit < 0 || digit > 9 || value < (Long.MIN_VALUE + digit) / 10) {
        return false;
      }
      value = value * 10 - digit;
    }
    if (!negative && value == Long.MIN_VALUE) {
      return false;
    }
    integer = negative ? value : -value;
    return true;
  }

  /** Whether the range is digits only, with an optional sign, however many. */
  public static boolean isInteger(byte[] text, int from, int to) {
    int at = from < to && (text[from] == '-' || text[from] == '+') ? from + 1 : from;
    if (at >= to) {
      return false;
    }
    for (; at < to; at++) {
      if (text[at] < '0' || text[at] > '9') {
        return false;
      }
    }
    return true;
  }

  /**
   * Whether the range is a number with optional fraction and exponent, or NaN or an infinity in any
   * case. The result is the nearest double.
   */
  public boolean readReal(byte[] text, int from, int to) {
    int at = from;
    boolean negative = false;
    if (at < to && (text[at] == '-' || text[at] == '+')) {
      negative = text[at] == '-';
      at++;
    }
    long mantissa = 0;
    int digits = 0;
    int scale = 0;
    boolean exact = true;
    boolean point = false;
    for (; at < to; at++) {
      byte character = text[at];
      if (character == '.' && !point) {
        point = true;
        continue;
      }
      int digit = character - '0';
      if (digit < 0 || digit > 9) {
        break;
      }
      digits++;
      if (mantissa < EXACT_DOUBLE_LIMIT / 10) {
        mantissa = mantissa * 10 + digit;
        scale += point ? 1 : 0;
      } else {
        exact = false;
      }
    }
    if (digits == 0) {
      return readSpecial(text, from, to);
    }
    int exponent = 0;
    if (at < to) {
      if (text[at] != 'e' && text[at] != 'E' || !readInteger(text, at + 1, to)) {
        return false;
      }
      if (Math.abs(integer) > 9999) {
        exact = false;
      } else {
        exponent = (int) integer;
      }
    }
    int power = exponent - scale;
    if (exact && power >= -22 && power <= 22) {
      // Both factors are exact doubles, so that one rounding gives the nearest one.
      double value = power < 0 ? mantissa / POWERS_OF_TEN[-power] : mantissa * POWERS_OF_TEN[power];
      real = negative ? -value : value;
    } else {
      real = Double.parseDouble(new String(text, from, to - from, StandardCharsets.ISO_8859_1));
    }
    return true;
  }

  private boolean readSpecial(byte[] text, int from, int to) {
    if (to - from > 9 || to == from) {
      return false;
    }
    String word = new String(text, from, to - from, StandardCharsets.ISO_8859_1);
    String unsigned = word.startsWith("-") || word.startsWith("+") ? word.substring(1) : word;
    if (unsigned.equalsIgnoreCase("nan")) {
      real = Double.NaN;
      return true;
    }
    if (unsigned.equalsIgnoreCase("inf") || unsigned.equalsIgnoreCase("infinity")) {
      real = word.startsWith("-") ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
      return true;
    }
    return false;
  }

  /** The exact number; null when the range is none. */
  public static BigDecimal decimal(byte[] text, int from, int to) {
    // A number of more characters is no decimal of 38 digits; its exponent must not cost memory.
    if (to - from > 100) {
      return null;
    }
    try {
      BigDecimal value =
          new BigDecimal(new String(text, from, to - from, StandardCharsets.ISO_8859_1));
      return Math.abs((long) value.scale()) > 100 ? null : value;
    } catch (NumberFormatException none) {
      return null;
    }
  }
}
