package io.millrace.exec.kernel.cast;

import io.millrace.core.batch.FlatVector;
import io.millrace.core.batch.VectorBuilder;
import java.math.BigDecimal;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads intervals: {@code 1 year 2 months -3 days 4.5 hours}, or ISO 8601 {@code P1Y2M3DT4H}. */
final class TextToInterval {
  private static final Pattern PART =
      Pattern.compile("\\s*([+-]?\\d+(?:\\.\\d+)?)\\s*([a-zµ]+)\\s*,?");
  private static final Pattern ISO =
      Pattern.compile(
          "P(?:(-?\\d+)Y)?(?:(-?\\d+)M)?(?:(-?\\d+)W)?(?:(-?\\d+)D)?"
              + "(?:T(?:(-?\\d+)H)?(?:(-?\\d+)M)?(?:(-?\\d+(?:\\.\\d+)?)S)?)?");
  private static final BigDecimal NANOS_PER_SECOND = BigDecimal.valueOf(1_000_000_000L);

  private BigDecimal months = BigDecimal.ZERO;
  private BigDecimal days = BigDecimal.ZERO;
  private BigDecimal nanos = BigDecimal.ZERO;

  private TextToInterval() {}

  static boolean append(FlatVector source, int row, VectorBuilder target) {
    TextToInterval reader = new TextToInterval();
    String text = source.textAt(row).strip();
    try {
      if (text.isEmpty() || !(text.startsWith("P") ? reader.readIso(text) : reader.read(text))) {
        return false;
      }
      target.appendInterval(
          reader.months.intValueExact(),
          reader.days.intValueExact(),
          reader.nanos.longValueExact());
      return true;
    } catch (ArithmeticException fractionOrOverflow) {
      return false;
    }
  }

  private boolean read(String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    Matcher part = PART.matcher(lower);
    int end = 0;
    while (end < lower.length()) {
      if (!part.find(end) || part.start() != end) {
        return false;
      }
      if (!add(new BigDecimal(part.group(1)), part.group(2))) {
        return false;
      }
      end = part.end();
    }
    return true;
  }

  private boolean add(BigDecimal amount, String unit) {
    switch (unit) {
      case "year", "years", "y", "yr", "yrs" -> addMonths(amount, 12);
      case "quarter", "quarters" -> addMonths(amount, 3);
      case "month", "months", "mon", "mons" -> addMonths(amount, 1);
      case "week", "weeks", "w" -> addDays(amount, 7);
      case "day", "days", "d" -> addDays(amount, 1);
      case "hour", "hours", "h" -> addSeconds(amount, 3_600);
      case "minute", "minutes", "min", "mins", "m" -> addSeconds(amount, 60);
      case "second", "seconds", "sec", "secs", "s" -> addSeconds(amount, 1);
      case "millisecond", "milliseconds", "ms" -> nanos = nanos.add(amount.movePointRight(6));
      case "microsecond", "microseconds", "us", "µs" -> nanos = nanos.add(amount.movePointRight(3));
      case "nanosecond", "nanoseconds", "ns" -> nanos = nanos.add(amount);
      default -> {
        return false;
      }
    }
    return true;
  }

  private void addMonths(BigDecimal amount, int factor) {
    months = months.add(amount.multiply(BigDecimal.valueOf(factor)));
  }

  private void addDays(BigDecimal amount, int factor) {
    days = days.add(amount.multiply(BigDecimal.valueOf(factor)));
  }

  private void addSeconds(BigDecimal amount, int factor) {
    nanos = nanos.add(amount.multiply(BigDecimal.valueOf(factor)).multiply(NANOS_PER_SECOND));
  }

  private boolean readIso(String text) {
    Matcher matcher = ISO.matcher(text);
    if (!matcher.matches() || text.length() < 3) {
      return false;
    }
    String[] units = {"year", "month", "week", "day", "hour", "minute", "second"};
    for (int index = 0; index < units.length; index++) {
      String amount = matcher.group(index + 1);
      if (amount != null) {
        add(new BigDecimal(amount), units[index]);
      }
    }
    return true;
  }
}
