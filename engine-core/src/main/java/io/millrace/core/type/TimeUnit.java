package io.millrace.core.type;

/** The unit that a temporal type counts. */
public enum TimeUnit {
  SECOND(0, 1L),
  MILLISECOND(3, 1_000L),
  MICROSECOND(6, 1_000_000L),
  NANOSECOND(9, 1_000_000_000L);

  private final int digits;
  private final long unitsPerSecond;

  TimeUnit(int digits, long unitsPerSecond) {
    this.digits = digits;
    this.unitsPerSecond = unitsPerSecond;
  }

  /** Digits of a second's fraction: 0, 3, 6 or 9; the precision in SQL. */
  public int digits() {
    return digits;
  }

  public long unitsPerSecond() {
    return unitsPerSecond;
  }

  /** The coarsest unit that keeps this many fractional digits. */
  public static TimeUnit ofDigits(int digits) {
    for (TimeUnit unit : values()) {
      if (unit.digits >= digits) {
        return unit;
      }
    }
    throw new IllegalArgumentException("A precision is 0 to 9 digits: " + digits);
  }
}
