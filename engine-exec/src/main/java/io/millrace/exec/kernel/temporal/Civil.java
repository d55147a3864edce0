package io.millrace.exec.kernel.temporal;

/**
 * The proleptic Gregorian calendar over days since 1970-01-01, without objects. Years are taken
 * from March on, so that the leap day is the last of a year; the algorithm is Howard Hinnant's
 * "chrono-compatible low-level date algorithms".
 */
public final class Civil {
  /** Days from 0000-03-01 to 1970-01-01. */
  private static final long EPOCH_SHIFT = 719_468;

  private static final long DAYS_PER_ERA = 146_097;

  private Civil() {}

  /** Year in the upper bits, then 4 bits of month (1 to 12) and 5 bits of day (1 to 31). */
  public static long pack(long epochDay) {
    long shifted = epochDay + EPOCH_SHIFT;
    long era = Math.floorDiv(shifted, DAYS_PER_ERA);
    long dayOfEra = shifted - era * DAYS_PER_ERA;
    long yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365;
    long dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
    long monthFromMarch = (5 * dayOfYear + 2) / 153;
    long day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1;
    long month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9;
    long year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
    return year << 9 | month << 5 | day;
  }

  public static long year(long packed) {
    return packed >> 9;
  }

  public static int month(long packed) {
    return (int) (packed >> 5) & 15;
  }

  public static int day(long packed) {
    return (int) packed & 31;
  }

  /** Days since 1970-01-01 of a date. */
  public static long epochDay(long year, int month, int day) {
    long shiftedYear = month <= 2 ? year - 1 : year;
    long era = Math.floorDiv(shiftedYear, 400L);
    long yearOfEra = shiftedYear - era * 400;
    long dayOfYear = (153L * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
    long dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear;
    return era * DAYS_PER_ERA + dayOfEra - EPOCH_SHIFT;
  }

  public static boolean isLeap(long year) {
    return (year & 3) == 0 && (year % 100 != 0 || year % 400 == 0);
  }

  /** Days of a month. */
  public static int monthLength(long year, int month) {
    return month == 2 ? (isLeap(year) ? 29 : 28) : 30 + ((month + month / 8) & 1);
  }

  /** The day so many months later; a day that the month lacks becomes its last. */
  public static long plusMonths(long epochDay, long months) {
    if (months == 0) {
      return epochDay;
    }
    long packed = pack(epochDay);
    long total = year(packed) * 12 + month(packed) - 1 + months;
    long year = Math.floorDiv(total, 12L);
    int month = (int) Math.floorMod(total, 12L) + 1;
    return epochDay(year, month, Math.min(day(packed), monthLength(year, month)));
  }
}
