package io.millrace.core.config;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Sizes as users write them: {@code 512}, {@code 64k}, {@code 8MiB}, {@code 2g}; powers of 1,024.
 */
public final class ByteSize {
  private static final Pattern FORM = Pattern.compile("(\\d+)\\s*([kmgt]?)(i?b)?");

  private ByteSize() {}

  /**
   * @throws IllegalArgumentException when the text has another form or is too large
   */
  public static long parse(String text) {
    Matcher matcher = FORM.matcher(text.trim().toLowerCase(Locale.ROOT));
    if (!matcher.matches()) {
      throw new IllegalArgumentException("A size looks like 512m or 8GiB: " + text);
    }
    int exponent = matcher.group(2).isEmpty() ? 0 : "kmgt".indexOf(matcher.group(2)) + 1;
    try {
      return Math.multiplyExact(Long.parseLong(matcher.group(1)), 1L << (10 * exponent));
    } catch (ArithmeticException | NumberFormatException problem) {
      throw new IllegalArgumentException("The size is too large: " + text, problem);
    }
  }

  /** The largest unit that divides the size, for example {@code 8 MiB}. */
  public static String format(long bytes) {
    String[] units = {"B", "KiB", "MiB", "GiB", "TiB"};
    int unit = 0;
    long value = bytes;
    while (unit < units.length - 1 && value != 0 && value % 1024 == 0) {
      value /= 1024;
      unit++;
    }
    return value + " " + units[unit];
  }
}
