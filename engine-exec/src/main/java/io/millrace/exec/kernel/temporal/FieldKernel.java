package io.millrace.exec.kernel.temporal;

import io.millrace.core.type.DataType;
import io.millrace.core.type.TimeUnit;
import io.millrace.exec.kernel.BlockKernel;
import io.millrace.exec.kernel.lane.LongLane;
import io.millrace.exec.kernel.lane.LongOutput;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** A field of a date, time or timestamp; a timestamp with zone is read in its zone. */
final class FieldKernel extends BlockKernel {

  /** What is read. */
  enum TemporalField {
    YEAR,
    QUARTER,
    MONTH,
    DAY,
    DAY_OF_WEEK,
    WEEKDAY,
    ISO_DAY_OF_WEEK,
    DAY_OF_YEAR,
    ISO_WEEK,
    ISO_YEAR,
    DECADE,
    CENTURY,
    MILLENNIUM,
    HOUR,
    MINUTE,
    SECOND,
    MILLISECOND,
    MICROSECOND
  }

  private static final int SECONDS_PER_DAY = 86_400;

  private final TemporalField field;
  private final long[] value;
  private final long[] result;
  private final ZoneId zone;

  /** Units of the value per day: 1 for dates. */
  private final long unitsPerDay;

  FieldKernel(TemporalField field, DataType type) {
    this(field, type, new LongLane(), new LongOutput(DataType.INT64));
  }

  private FieldKernel(TemporalField field, DataType type, LongLane input, LongOutput output) {
    super(output, input);
    this.field = field;
    this.value = input.values();
    this.result = output.values();
    this.zone =
        type instanceof DataType.Timestamp timestamp && timestamp.zone().isPresent()
            ? Zones.of(timestamp.zone().get())
            : ZoneOffset.UTC;
    this.unitsPerDay =
        switch (type) {
          case DataType.Timestamp timestamp -> perDay(timestamp.unit());
          case DataType.Time time -> perDay(time.unit());
          default -> 1;
        };
  }

  private static long perDay(TimeUnit unit) {
    return SECONDS_PER_DAY * unit.unitsPerSecond();
  }

  @Override
  protected boolean compute(int count) {
    boolean local = !zone.equals(ZoneOffset.UTC);
    long unitsPerSecond = Math.max(1, unitsPerDay / SECONDS_PER_DAY);
    for (int lane = 0; lane < count; lane++) {
      long moment = local ? Zones.toLocal(value[lane], unitsPerSecond, zone) : value[lane];
      long day = unitsPerDay == 1 ? moment : Math.floorDiv(moment, unitsPerDay);
      result[lane] =
          switch (field) {
            case YEAR -> Civil.year(Civil.pack(day));
            case QUARTER -> (Civil.month(Civil.pack(day)) + 2) / 3;
            case MONTH -> Civil.month(Civil.pack(day));
            case DAY -> Civil.day(Civil.pack(day));
            // 1970-01-01 was a Thursday; the week starts with Sunday as 1.
            case DAY_OF_WEEK -> Math.floorMod(day + 4, 7) + 1;
            case WEEKDAY -> Math.floorMod(day + 4, 7);
            case ISO_DAY_OF_WEEK -> Math.floorMod(day + 3, 7) + 1;
            case ISO_WEEK -> isoWeek(day);
            case ISO_YEAR -> Civil.year(Civil.pack(thursday(day)));
            case DECADE -> Math.floorDiv(Civil.year(Civil.pack(day)), 10);
            case CENTURY -> period(Civil.year(Civil.pack(day)), 100);
            case MILLENNIUM -> period(Civil.year(Civil.pack(day)), 1000);
            case DAY_OF_YEAR -> day - Civil.epochDay(Civil.year(Civil.pack(day)), 1, 1) + 1;
            case HOUR -> (moment - day * unitsPerDay) / unitsPerSecond / 3_600;
            case MINUTE -> (moment - day * unitsPerDay) / unitsPerSecond / 60 % 60;
            case SECOND -> (moment - day * unitsPerDay) / unitsPerSecond % 60;
            case MILLISECOND -> inMinute(moment - day * unitsPerDay, unitsPerSecond, 1_000);
            case MICROSECOND -> inMinute(moment - day * unitsPerDay, unitsPerSecond, 1_000_000);
          };
    }
    return false;
  }

  /** The part of a minute, in parts of a second. */
  private static long inMinute(long inDay, long unitsPerSecond, long partsPerSecond) {
    long units = inDay % (60 * unitsPerSecond);
    return unitsPerSecond >= partsPerSecond
        ? units / (unitsPerSecond / partsPerSecond)
        : units * (partsPerSecond / unitsPerSecond);
  }

  /** The Thursday of the ISO week decides its year. */
  private static long thursday(long day) {
    return day - Math.floorMod(day + 3, 7) + 3;
  }

  private static long isoWeek(long day) {
    long thursday = thursday(day);
    long first = Civil.epochDay(Civil.year(Civil.pack(thursday)), 1, 1);
    return (thursday - first) / 7 + 1;
  }

  /** Periods count from the year 1; those before it from −1. */
  private static long period(long year, long years) {
    return year > 0 ? (year - 1) / years + 1 : year / years - 1;
  }
}
