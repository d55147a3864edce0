package io.millrace.exec.kernel.temporal;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.type.DataType;
import io.millrace.core.type.TimeUnit;
import io.millrace.exec.kernel.BlockKernel;
import io.millrace.exec.kernel.lane.DecimalLane;
import io.millrace.exec.kernel.lane.Lane;
import io.millrace.exec.kernel.lane.LongLane;
import io.millrace.exec.kernel.lane.LongOutput;
import java.time.ZoneId;
import java.time.ZoneOffset;

/**
 * A date or timestamp moved by an interval: first by months (the day is cut to the month's last),
 * then by days, then by the rest. Months and days of a timestamp with zone are moved in its zone. A
 * date moved by less than a day goes to the date that the moment falls on.
 */
public final class IntervalArithmetic extends BlockKernel {
  private static final long NANOS_PER_DAY = 86_400_000_000_000L;

  private final DataType type;
  private final boolean subtracts;
  private final LongLane moments;
  private final DecimalLane intervals;
  private final long[] result;
  private final boolean[] failed = new boolean[Lane.BLOCK_ROWS];
  private final long unitsPerSecond;
  private final ZoneId zone;

  /**
   * @param intervalFirst whether the interval is the left argument
   */
  public IntervalArithmetic(DataType type, boolean intervalFirst, boolean subtracts) {
    this(type, intervalFirst, subtracts, new LongLane(), new DecimalLane(), new LongOutput(type));
  }

  private IntervalArithmetic(
      DataType type,
      boolean intervalFirst,
      boolean subtracts,
      LongLane moments,
      DecimalLane intervals,
      LongOutput output) {
    super(output, intervalFirst ? intervals : moments, intervalFirst ? moments : intervals);
    this.type = type;
    this.subtracts = subtracts;
    this.moments = moments;
    // An interval is 16 bytes as well: months and days are the lower half, nanoseconds the upper.
    this.intervals = intervals;
    this.result = output.values();
    TimeUnit unit = type instanceof DataType.Timestamp timestamp ? timestamp.unit() : null;
    this.unitsPerSecond = unit == null ? 0 : unit.unitsPerSecond();
    this.zone =
        type instanceof DataType.Timestamp timestamp && timestamp.zone().isPresent()
            ? Zones.of(timestamp.zone().get())
            : ZoneOffset.UTC;
  }

  @Override
  protected boolean compute(int count) {
    boolean any = false;
    for (int lane = 0; lane < count; lane++) {
      long low = intervals.low()[lane];
      long sign = subtracts ? -1 : 1;
      long months = sign * (int) low;
      long days = sign * (int) (low >> 32);
      long nanos = sign * intervals.high()[lane];
      failed[lane] = false;
      try {
        result[lane] =
            unitsPerSecond == 0
                ? moveDate(moments.values()[lane], months, days, nanos)
                : moveTimestamp(moments.values()[lane], months, days, nanos);
      } catch (ArithmeticException | java.time.DateTimeException overflow) {
        failed[lane] = true;
        any = true;
      }
    }
    return any;
  }

  private static long moveDate(long day, long months, long days, long nanos) {
    long moved = Civil.plusMonths(day, months) + days + Math.floorDiv(nanos, NANOS_PER_DAY);
    return Math.toIntExact(moved);
  }

  private long moveTimestamp(long moment, long months, long days, long nanos) {
    long moved = moment;
    if (months != 0 || days != 0) {
      long local = Zones.toLocal(moment, unitsPerSecond, zone);
      long unitsPerDay = 86_400 * unitsPerSecond;
      long day = Math.floorDiv(local, unitsPerDay);
      long rest = Math.floorMod(local, unitsPerDay);
      long newDay = Civil.plusMonths(day, months) + days;
      moved =
          Zones.toInstant(
              Math.addExact(Math.multiplyExact(newDay, unitsPerDay), rest), unitsPerSecond, zone);
    }
    return Math.addExact(moved, Math.floorDiv(nanos, 1_000_000_000L / unitsPerSecond));
  }

  @Override
  protected boolean isFaulty(int lane) {
    return failed[lane];
  }

  @Override
  protected MillraceException fault(int lane) {
    return new MillraceException(
        ErrorCode.NUMERIC_OVERFLOW,
        "A date or timestamp moved by an interval leaves the range of its type: " + type);
  }
}
