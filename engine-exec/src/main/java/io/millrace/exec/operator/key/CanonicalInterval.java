package io.millrace.exec.operator.key;

import io.millrace.core.batch.Layouts;
import io.millrace.core.batch.VectorBuilder;
import java.lang.foreign.MemorySegment;

/**
 * Intervals such that equal ones (a month is 30 days, a day 24 hours) have equal bytes: whole days
 * and the nanoseconds from there, each a long. Takes the 16 bytes that the interval itself takes.
 */
final class CanonicalInterval {
  private static final long DAY_NANOS = 86_400_000_000_000L;
  private static final int MONTH_DAYS = 30;

  private CanonicalInterval() {}

  /** Days of the interval at the byte offset, whole ones of its time included. */
  static long days(MemorySegment intervals, long at) {
    return (long) intervals.get(Layouts.INT32, at) * MONTH_DAYS
        + intervals.get(Layouts.INT32, at + 4)
        + Math.floorDiv(intervals.get(Layouts.INT64, at + 8), DAY_NANOS);
  }

  /** Nanoseconds beyond the days, from 0. */
  static long nanoseconds(MemorySegment intervals, long at) {
    return Math.floorMod(intervals.get(Layouts.INT64, at + 8), DAY_NANOS);
  }

  /** Appends the interval written at the byte offset, with parts of one sign. */
  static void append(MemorySegment keys, long at, VectorBuilder builder) {
    long days = keys.get(Layouts.INT64, at);
    long nanoseconds = keys.get(Layouts.INT64, at + 8);
    if (days < 0 && nanoseconds > 0) {
      days++;
      nanoseconds -= DAY_NANOS;
    }
    long months = Math.clamp(days / MONTH_DAYS, Integer.MIN_VALUE, Integer.MAX_VALUE);
    builder.appendInterval((int) months, Math.toIntExact(days - months * MONTH_DAYS), nanoseconds);
  }
}
