package io.millrace.exec.kernel;

import io.millrace.core.batch.IntervalValue;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.type.DataType;
import io.millrace.core.type.TimeUnit;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoField;
import java.time.temporal.IsoFields;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TemporalKernelsTest {
  private final KernelHarness harness = new KernelHarness();
  private final Random random = new Random(5);

  @AfterEach
  void close() {
    harness.close();
  }

  private static Map<String, Function<LocalDateTime, Integer>> fields() {
    Map<String, Function<LocalDateTime, Integer>> fields = new LinkedHashMap<>();
    fields.put("year", LocalDateTime::getYear);
    fields.put("quarter", moment -> moment.get(IsoFields.QUARTER_OF_YEAR));
    fields.put("month", LocalDateTime::getMonthValue);
    fields.put("day", LocalDateTime::getDayOfMonth);
    fields.put("day_of_week", moment -> moment.getDayOfWeek().getValue() % 7 + 1);
    fields.put("day_of_year", LocalDateTime::getDayOfYear);
    fields.put("hour", LocalDateTime::getHour);
    fields.put("minute", LocalDateTime::getMinute);
    fields.put("second", moment -> moment.get(ChronoField.SECOND_OF_MINUTE));
    return fields;
  }

  @Test
  void fieldsOfDatesAndTimestamps() {
    List<List<Object>> dates = new ArrayList<>();
    List<List<Object>> moments = new ArrayList<>();
    List<List<Object>> instants = new ArrayList<>();
    for (int row = 0; row < 400; row++) {
      dates.add(List.of(LocalDate.ofEpochDay(random.nextInt(-900_000, 900_000))));
      long seconds = random.nextLong(-9_000_000_000L, 9_000_000_000L);
      moments.add(List.of(LocalDateTime.ofEpochSecond(seconds, 1_000, java.time.ZoneOffset.UTC)));
      instants.add(List.of(Instant.ofEpochSecond(seconds)));
    }
    dates.add(Arrays.asList((Object) null));
    ZoneId zone = ZoneId.of("America/St_Johns");
    fields()
        .forEach(
            (name, field) -> {
              if (!List.of("hour", "minute", "second").contains(name)) {
                harness.check(
                    name,
                    List.of(DataType.DATE),
                    dates,
                    row ->
                        row.get(0) == null
                            ? null
                            : (long) field.apply(((LocalDate) row.get(0)).atStartOfDay()));
              }
              harness.check(
                  name,
                  List.of(DataType.timestamp(TimeUnit.MICROSECOND)),
                  moments,
                  row -> (long) field.apply((LocalDateTime) row.get(0)));
              harness.check(
                  name,
                  List.of(DataType.timestamp(TimeUnit.MILLISECOND, zone.getId())),
                  instants,
                  row -> (long) field.apply(LocalDateTime.ofInstant((Instant) row.get(0), zone)));
            });
    harness.check(
        "minute",
        List.of(new DataType.Time(TimeUnit.SECOND)),
        List.of(List.of(LocalTime.of(13, 45, 10))),
        row -> 45L);
  }

  @Test
  void datesMoveByIntervals() {
    List<List<Object>> rows = new ArrayList<>();
    for (int row = 0; row < 500; row++) {
      rows.add(
          List.of(
              LocalDate.ofEpochDay(random.nextInt(-90_000, 90_000)),
              new IntervalValue(random.nextInt(-50, 50), random.nextInt(-50, 50), 0)));
    }
    rows.add(List.of(LocalDate.of(2024, 1, 31), new IntervalValue(1, 0, 0)));
    rows.add(Arrays.asList(null, new IntervalValue(1, 0, 0)));
    List<DataType> types = List.of(DataType.DATE, DataType.INTERVAL);
    harness.check("add", types, rows, row -> move(row, 1));
    harness.check("subtract", types, rows, row -> move(row, -1));
    harness.checkFails(
        harness.call("add", DataType.DATE, DataType.INTERVAL),
        types,
        List.of(LocalDate.ofEpochDay(Integer.MAX_VALUE), new IntervalValue(0, 1, 0)),
        List.of(LocalDate.ofEpochDay(Integer.MAX_VALUE), new IntervalValue(0, 0, 0)),
        ErrorCode.NUMERIC_OVERFLOW);
  }

  private static Object move(List<Object> row, int sign) {
    IntervalValue interval = (IntervalValue) row.get(1);
    return row.get(0) == null
        ? null
        : ((LocalDate) row.get(0))
            .plusMonths(sign * interval.months())
            .plusDays(sign * interval.days());
  }

  @Test
  void timestampsMoveInTheirZone() {
    // The clock went forward on 2024-03-31: a day later is 23 hours later.
    ZoneId zone = ZoneId.of("Europe/Berlin");
    List<DataType> types =
        List.of(DataType.timestamp(TimeUnit.MICROSECOND, zone.getId()), DataType.INTERVAL);
    List<List<Object>> rows =
        List.of(
            List.of(Instant.parse("2024-03-30T11:00:00Z"), new IntervalValue(0, 1, 0)),
            List.of(
                Instant.parse("2024-03-30T11:00:00Z"),
                new IntervalValue(0, 0, 86_400_000_000_000L)),
            List.of(Instant.parse("2024-01-31T11:00:00Z"), new IntervalValue(1, 0, 1_000)));
    harness.check(
        "add",
        types,
        rows,
        row -> {
          IntervalValue interval = (IntervalValue) row.get(1);
          return ((Instant) row.get(0))
              .atZone(zone)
              .plusMonths(interval.months())
              .plusDays(interval.days())
              .toInstant()
              .plusNanos(interval.nanoseconds());
        });
  }
}
