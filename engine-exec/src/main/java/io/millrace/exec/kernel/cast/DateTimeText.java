package io.millrace.exec.kernel.cast;

import io.millrace.exec.kernel.temporal.Civil;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Optional;

/**
 * Reads dates, times and date-times from text: {@code 2024-02-29}, {@code 13:45:10.25}, both with a
 * blank or T between them, and then {@code Z}, an offset such as {@code +05:30} or the name of a
 * zone. Reusable, not thread-safe.
 */
final class DateTimeText {
  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  private String text;
  private int position;
  private long epochDay;
  private long nanoOfDay;
  private ZoneId zone;

  /** Days since 1970-01-01 of the last text read. */
  long epochDay() {
    return epochDay;
  }

  /** Nanoseconds since midnight of the last text read; 0 without a time. */
  long nanoOfDay() {
    return nanoOfDay;
  }

  /** The offset or zone of the last text read; empty without one. */
  Optional<ZoneId> zone() {
    return Optional.ofNullable(zone);
  }

  private void begin(String newText) {
    text = newText.strip();
    position = 0;
    nanoOfDay = 0;
    zone = null;
  }

  /** Reads a date, which a time of day may follow; gives whether the text is one. */
  boolean readDateTime(String newText) {
    begin(newText);
    if (!readDate()) {
      return false;
    }
    if (position == text.length()) {
      return true;
    }
    char between = text.charAt(position);
    if (between != ' ' && between != 'T' && between != 't') {
      return false;
    }
    position++;
    return readTime() && readZone();
  }

  /** Reads a time of day alone; gives whether the text is one. */
  boolean readTimeOfDay(String newText) {
    begin(newText);
    return readTime() && position == text.length();
  }

  private boolean readDate() {
    boolean negative = position < text.length() && text.charAt(position) == '-';
    boolean signed = negative || position < text.length() && text.charAt(position) == '+';
    position += signed ? 1 : 0;
    int start = position;
    long year = digits(4, 9);
    if (year < 0 || !signed && position - start != 4) {
      return false;
    }
    if (!skip('-')) {
      return false;
    }
    int month = (int) digits(1, 2);
    if (month < 1 || month > 12 || !skip('-')) {
      return false;
    }
    int day = (int) digits(1, 2);
    long signedYear = negative ? -year : year;
    if (day < 1 || day > Civil.monthLength(signedYear, month)) {
      return false;
    }
    epochDay = Civil.epochDay(signedYear, month, day);
    return true;
  }

  private boolean readTime() {
    long hour = digits(1, 2);
    if (hour < 0 || hour > 23 || !skip(':')) {
      return false;
    }
    long minute = digits(2, 2);
    if (minute < 0 || minute > 59) {
      return false;
    }
    long second = 0;
    long nano = 0;
    if (skip(':')) {
      second = digits(2, 2);
      if (second < 0 || second > 59) {
        return false;
      }
      if (skip('.')) {
        int start = position;
        nano = digits(1, 9);
        for (int count = position - start; nano > 0 && count < 9; count++) {
          nano *= 10;
        }
      }
    }
    nanoOfDay = ((hour * 60 + minute) * 60 + second) * NANOS_PER_SECOND + nano;
    return nano >= 0;
  }

  private boolean readZone() {
    while (skip(' ')) {
      // Blanks may stand before the zone.
    }
    if (position == text.length()) {
      return true;
    }
    String rest = text.substring(position);
    try {
      if (rest.equals("Z") || rest.equals("z")) {
        zone = ZoneOffset.UTC;
      } else if (rest.charAt(0) == '+' || rest.charAt(0) == '-') {
        zone = ZoneOffset.of(rest);
      } else {
        zone = ZoneId.of(rest).normalized();
      }
      return true;
    } catch (DateTimeException unknown) {
      return false;
    }
  }

  private boolean skip(char expected) {
    boolean found = position < text.length() && text.charAt(position) == expected;
    position += found ? 1 : 0;
    return found;
  }

  /** A number of at least and at most so many digits; −1 when there are fewer or more. */
  private long digits(int least, int most) {
    long number = 0;
    int start = position;
    while (position < text.length()
        && text.charAt(position) >= '0'
        && text.charAt(position) <= '9') {
      if (position - start == most) {
        return -1;
      }
      number = number * 10 + (text.charAt(position) - '0');
      position++;
    }
    return position - start < least ? -1 : number;
  }
}
