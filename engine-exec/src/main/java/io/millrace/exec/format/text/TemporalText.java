package io.millrace.exec.format.text;

import io.millrace.core.type.TimeUnit;

/**
 * Reads dates and times in ISO 8601 form: {@code 2024-02-29}, {@code 2024-02-29 12:30}, {@code
 * 2024-02-29T12:30:15.123456+01:00}, {@code 12:30:15}. One of these per reader: it holds the last
 * result.
 */
public final class TemporalText {
  private static final int SECONDS_PER_DAY = 86_400;

  private byte[] text;
  private int at;
  private int end;

  private long epochDay;
  private long epochSecond;
  private int nanos;
  private int fractionDigits;
  private boolean zoned;
  private boolean timed;

  /** Days since 1970-01-01 of the last date. */
  public long epochDay() {
    return epochDay;
  }

  /** Whether the last timestamp had a zone; its result is then in UTC. */
  public boolean isZoned() {
    return zoned;
  }

  /** Whether the last timestamp had a time of day, not only a date. */
  public boolean isTimed() {
    return timed;
  }

  /** Digits of the last fraction of a second. */
  public int fractionDigits() {
    return fractionDigits;
  }

  /**
   * The last timestamp or time as a count of units; digits beyond the unit are cut off.
   *
   * @throws ArithmeticException when nanoseconds do not reach that far
   */
  public long count(TimeUnit unit) {
    long perSecond = unit.unitsPerSecond();
    return Math.addExact(
        Math.multiplyExact(epochSecond, perSecond), nanos / (1_000_000_000L / perSecond));
  }

  /** Whether the range is a date. */
  public boolean readDate(byte[] bytes, int from, int to) {
    begin(bytes, from, to);
    return date() && at == end;
  }

  /** Whether the range is a date and time, or a date alone, which is its midnight. */
  public boolean readTimestamp(byte[] bytes, int from, int to) {
    begin(bytes, from, to);
    if (!date()) {
      return false;
    }
    epochSecond = epochDay * SECONDS_PER_DAY;
    if (at == end) {
      return true;
    }
    byte separator = text[at++];
    if (separator != 'T' && separator != ' ' && separator != 't' || !time()) {
      return false;
    }
    timed = true;
    return zone() && at == end;
  }

  /** Whether the range is a time of day. */
  public boolean readTime(byte[] bytes, int from, int to) {
    begin(bytes, from, to);
    epochSecond = 0;
    return time() && at == end;
  }

  private void begin(byte[] bytes, int from, int to) {
    text = bytes;
    at = from;
    end = to;
    nanos = 0;
    fractionDigits = 0;
    zoned = false;
    timed = false;
  }

  /** The number that {@code count} digits make; −1 when they are none. */
  private int digits(int count) {
    if (end - at < count) {
      return -1;
    }
    int value = 0;
    for (int index = 0; index < count; index++) {
      int digit = text[at + index] - '0';
      if (digit < 0 || digit > 9) {
        return -1;
      }
      value = value * 10 + digit;
    }
    at += count;
    return value;
  }

  private boolean accept(char character) {
    if (at < end && text[at] == character) {
      at++;
      return true;
    }
    return false;
  }

  private boolean date() {
    int year = digits(4);
    if (year < 0 || !accept('-')) {
      return false;
    }
    int month = digits(2);
    if (month < 1 || month > 12 || !accept('-')) {
      return false;
    }
    int day = digits(2);
    if (day < 1 || day > lengthOfMonth(year, month)) {
      return false;
    }
    epochDay = epochDay(year, month, day);
    return true;
  }

  private static int lengthOfMonth(int year, int month) {
    return switch (month) {
      case 2 -> year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28;
      case 4, 6, 9, 11 -> 30;
      default -> 31;
    };
  }

  /** Days in the proleptic Gregorian calendar; years count from March, so that February is last. */
  private static long epochDay(int year, int month, int day) {
    int marchYear = month > 2 ? year : year - 1;
    int marchMonth = month > 2 ? month - 3 : month + 9;
    long days = 365L * marchYear;
    days += Math.floorDiv(marchYear, 4) - Math.floorDiv(marchYear, 100);
    days += Math.floorDiv(marchYear, 400);
    return days + (153L * marchMonth + 2) / 5 + day - 1 - 719_468;
  }

  private boolean time() {
    int hour = digits(2);
    if (hour < 0 || hour > 23 || !accept(':')) {
      return false;
    }
    int minute = digits(2);
    if (minute < 0 || minute > 59) {
      return false;
    }
    int second = 0;
    if (accept(':')) {
      second = digits(2);
      if (second < 0 || second > 59 || accept('.') && !fraction()) {
        return false;
      }
    }
    epochSecond += hour * 3600L + minute * 60L + second;
    return true;
  }

  private boolean fraction() {
    int scale = 100_000_000;
    while (at < end && text[at] >= '0' && text[at] <= '9') {
      nanos += (text[at] - '0') * scale;
      scale /= 10;
      fractionDigits++;
      at++;
    }
    return fractionDigits > 0;
  }

  /** An offset, or nothing. */
  private boolean zone() {
    if (at == end) {
      return true;
    }
    zoned = true;
    if (accept('Z') || accept('z')) {
      return true;
    }
    byte sign = text[at++];
    if (sign != '+' && sign != '-') {
      return false;
    }
    int hours = digits(2);
    if (hours < 0 || hours > 18) {
      return false;
    }
    int minutes = 0;
    if (at < end) {
      accept(':');
      minutes = digits(2);
      if (minutes < 0 || minutes > 59) {
        return false;
      }
    }
    int offset = hours * 3600 + minutes * 60;
    epochSecond -= sign == '-' ? -offset : offset;
    return true;
  }
}
