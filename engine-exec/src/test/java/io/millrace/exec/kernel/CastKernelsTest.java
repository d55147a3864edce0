package io.millrace.exec.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.core.batch.ImageValue;
import io.millrace.core.batch.IntervalValue;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.plan.PhysicalExpression.Cast;
import io.millrace.core.plan.PhysicalExpression.Input;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.ImageMode;
import io.millrace.core.type.TimeUnit;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CastKernelsTest {
  private static final DataType MICROS = DataType.timestamp(TimeUnit.MICROSECOND);
  private static final DataType BERLIN = DataType.timestamp(TimeUnit.MICROSECOND, "Europe/Berlin");

  private final KernelHarness harness = new KernelHarness();

  @AfterEach
  void close() {
    harness.close();
  }

  private static Cast cast(DataType from, DataType to, boolean safe) {
    return new Cast(new Input(0, from), to, safe);
  }

  /** Pairs of a value and what it becomes, both forms of cast; null gives null. */
  private void converts(DataType from, DataType to, Object... pairs) {
    List<List<Object>> rows = new ArrayList<>();
    Map<String, Object> expected = new LinkedHashMap<>();
    for (int index = 0; index < pairs.length; index += 2) {
      rows.add(Arrays.asList(pairs[index]));
      expected.put(KernelHarness.text(pairs[index]), pairs[index + 1]);
    }
    rows.add(Arrays.asList((Object) null));
    for (boolean safe : new boolean[] {true, false}) {
      harness.check(
          cast(from, to, safe),
          List.of(from),
          rows,
          row -> expected.get(KernelHarness.text(row.get(0))));
    }
  }

  /** Values that do not fit: an error that shows the value, null when safe. */
  private void refuses(DataType from, DataType to, Object good, Object... values) {
    for (Object bad : values) {
      harness.checkFails(
          cast(from, to, false),
          List.of(from),
          Arrays.asList(bad),
          Arrays.asList(good),
          ErrorCode.INVALID_CAST);
      List<Object> found =
          harness.values(
              cast(from, to, true),
              List.of(from),
              List.of(Arrays.asList(bad), Arrays.asList(good)),
              KernelHarness.Form.FLAT,
              null);
      assertEquals(null, found.get(0), bad + " to " + to);
      assertTrue(found.get(1) != null, good + " to " + to);
    }
  }

  @Test
  void betweenNumbers() {
    converts(DataType.INT64, DataType.INT8, 127L, (byte) 127, -128L, (byte) -128);
    refuses(DataType.INT64, DataType.INT8, 1L, 128L, -129L, Long.MIN_VALUE);
    refuses(DataType.INT64, DataType.UINT64, 1L, -1L);
    converts(DataType.INT64, DataType.UINT64, Long.MAX_VALUE, BigInteger.valueOf(Long.MAX_VALUE));
    BigInteger top = BigInteger.TWO.pow(64).subtract(BigInteger.ONE);
    refuses(DataType.UINT64, DataType.INT64, BigInteger.ONE, top);
    converts(DataType.UINT64, DataType.FLOAT64, top, 0x1p64);
    converts(DataType.UINT64, DataType.decimal(20, 0), top, new BigDecimal(top));
    converts(
        DataType.INT32,
        DataType.decimal(12, 2),
        7,
        new BigDecimal("7.00"),
        -7,
        new BigDecimal("-7.00"));
    refuses(DataType.INT32, DataType.decimal(4, 2), 99, 100);
    converts(
        DataType.FLOAT64, DataType.INT32, 2.5, 2, 3.5, 4, -2.5, -2, 2_147_483_647.0, 2_147_483_647);
    refuses(
        DataType.FLOAT64,
        DataType.INT32,
        1.0,
        2_147_483_648.0,
        Double.NaN,
        Double.NEGATIVE_INFINITY);
    refuses(DataType.FLOAT64, DataType.INT64, 1.0, 0x1p63);
    converts(DataType.FLOAT64, DataType.UINT64, 0x1p63, BigInteger.TWO.pow(63));
    converts(DataType.FLOAT64, DataType.FLOAT32, 1.5, 1.5f, 1e300, Float.POSITIVE_INFINITY);
    converts(
        DataType.FLOAT64,
        DataType.decimal(5, 2),
        1.005,
        new BigDecimal("1.01"),
        -999.99,
        new BigDecimal("-999.99"));
    refuses(DataType.FLOAT64, DataType.decimal(5, 2), 1.0, 1000.0, Double.NaN, 1e300);
    converts(
        DataType.decimal(10, 2),
        DataType.INT32,
        new BigDecimal("2.50"),
        3,
        new BigDecimal("-2.50"),
        -3);
    converts(DataType.BOOLEAN, DataType.INT32, true, 1, false, 0);
    converts(DataType.BOOLEAN, DataType.decimal(4, 2), true, new BigDecimal("1.00"));
    converts(DataType.INT32, DataType.BOOLEAN, 0, false, 5, true);
  }

  @Test
  void textToNumbers() {
    converts(
        DataType.STRING,
        DataType.INT64,
        "-9223372036854775808",
        Long.MIN_VALUE,
        " +42 ",
        42L,
        "007",
        7L);
    refuses(
        DataType.STRING,
        DataType.INT64,
        "1",
        "",
        "-",
        "1.5",
        "9223372036854775808",
        "99999999999999999999",
        "1e3",
        "٣");
    converts(
        DataType.STRING,
        DataType.UINT64,
        "18446744073709551615",
        BigInteger.TWO.pow(64).subtract(BigInteger.ONE));
    refuses(DataType.STRING, DataType.UINT64, "0", "18446744073709551616", "-1");
    refuses(DataType.STRING, DataType.UINT8, "255", "256", "-1");
    converts(
        DataType.STRING,
        DataType.FLOAT64,
        "1.5",
        1.5,
        "-1e-3",
        -0.001,
        "NaN",
        Double.NaN,
        "-Infinity",
        Double.NEGATIVE_INFINITY,
        ".5",
        0.5);
    refuses(DataType.STRING, DataType.FLOAT64, "1", "0x1p3", "1f", "1d", "one", ".");
    converts(
        DataType.STRING,
        DataType.decimal(6, 2),
        "12.345",
        new BigDecimal("12.35"),
        "1e3",
        new BigDecimal("1000.00"),
        "1e-999999",
        new BigDecimal("0.00"));
    refuses(DataType.STRING, DataType.decimal(6, 2), "1", "10000", "1e999999999", "abc");
    converts(DataType.STRING, DataType.BOOLEAN, "TRUE", true, "f", false);
    refuses(DataType.STRING, DataType.BOOLEAN, "t", "maybe", "");
  }

  @Test
  void textToDatesAndTimes() {
    converts(
        DataType.STRING,
        DataType.DATE,
        "2024-02-29",
        LocalDate.of(2024, 2, 29),
        " 0001-01-01 ",
        LocalDate.of(1, 1, 1),
        "2024-02-29 23:59:59",
        LocalDate.of(2024, 2, 29));
    refuses(
        DataType.STRING, DataType.DATE, "2024-02-29", "2023-02-29", "2024-13-01", "20240229", "");
    converts(
        DataType.STRING,
        new DataType.Time(TimeUnit.MILLISECOND),
        "13:45:10.25",
        LocalTime.of(13, 45, 10, 250_000_000),
        "07:05",
        LocalTime.of(7, 5));
    refuses(DataType.STRING, new DataType.Time(TimeUnit.SECOND), "07:05", "24:00:00", "7", "07:60");
    converts(
        DataType.STRING,
        MICROS,
        "2020-01-01T00:00:00+01:00",
        LocalDateTime.of(2019, 12, 31, 23, 0),
        "2020-01-01 12:30:00.123456",
        LocalDateTime.of(2020, 1, 1, 12, 30, 0, 123_456_000),
        "1960-01-01",
        LocalDateTime.of(1960, 1, 1, 0, 0));
    converts(
        DataType.STRING,
        BERLIN,
        "2020-01-01T00:00:00+05:30",
        Instant.parse("2019-12-31T18:30:00Z"),
        "2020-07-01 12:00:00",
        Instant.parse("2020-07-01T10:00:00Z"),
        "2020-07-01 12:00:00 America/New_York",
        Instant.parse("2020-07-01T16:00:00Z"));
    refuses(
        DataType.STRING, MICROS, "2020-01-01", "2020-01-01T25:00:00", "now", "2020-01-01X10:00");
    converts(
        DataType.STRING,
        DataType.INTERVAL,
        "1 year 2 months -3 days 4.5 hours",
        new IntervalValue(14, -3, 16_200_000_000_000L),
        "P1Y2M3DT4H",
        new IntervalValue(14, 3, 14_400_000_000_000L));
    refuses(
        DataType.STRING, DataType.INTERVAL, "1 day", "1 fortnight", "day", "", "P", "1.5 months");
  }

  @Test
  void betweenDatesAndTimes() {
    converts(
        DataType.DATE,
        MICROS,
        LocalDate.of(1969, 12, 31),
        LocalDateTime.of(1969, 12, 31, 0, 0),
        LocalDate.of(2024, 2, 29),
        LocalDateTime.of(2024, 2, 29, 0, 0));
    converts(
        DataType.DATE, BERLIN, LocalDate.of(2024, 7, 1), Instant.parse("2024-06-30T22:00:00Z"));
    converts(
        MICROS,
        DataType.DATE,
        LocalDateTime.of(1969, 12, 31, 23, 59, 59),
        LocalDate.of(1969, 12, 31));
    converts(
        BERLIN, DataType.DATE, Instant.parse("2024-06-30T22:00:00Z"), LocalDate.of(2024, 7, 1));
    converts(
        BERLIN, MICROS, Instant.parse("2024-06-30T22:00:00Z"), LocalDateTime.of(2024, 7, 1, 0, 0));
    converts(
        MICROS,
        DataType.timestamp(TimeUnit.SECOND),
        LocalDateTime.of(1969, 12, 31, 23, 59, 59, 999_999_000),
        LocalDateTime.of(1969, 12, 31, 23, 59, 59));
    converts(
        MICROS,
        new DataType.Time(TimeUnit.SECOND),
        LocalDateTime.of(1969, 12, 31, 23, 59, 59, 999_999_000),
        LocalTime.of(23, 59, 59));
    refuses(
        DataType.timestamp(TimeUnit.SECOND),
        DataType.timestamp(TimeUnit.NANOSECOND),
        LocalDateTime.of(2024, 1, 1, 0, 0),
        LocalDateTime.of(9999, 1, 1, 0, 0));
  }

  @Test
  void anythingToText() {
    converts(DataType.BOOLEAN, DataType.STRING, true, "true");
    converts(DataType.FLOAT64, DataType.STRING, 0.1, "0.1", Double.NaN, "NaN");
    converts(DataType.FLOAT32, DataType.STRING, 0.1f, "0.1");
    converts(
        DataType.decimal(38, 10), DataType.STRING, new BigDecimal("0.0000001000"), "0.0000001000");
    converts(
        MICROS,
        DataType.STRING,
        LocalDateTime.of(2020, 1, 1, 12, 30, 0, 120_000_000),
        "2020-01-01 12:30:00.12",
        LocalDateTime.of(2020, 1, 1, 0, 0),
        "2020-01-01 00:00:00");
    converts(
        BERLIN, DataType.STRING, Instant.parse("2024-06-30T22:00:00Z"), "2024-07-01 00:00:00+02");
    converts(DataType.DATE, DataType.STRING, LocalDate.of(2024, 2, 29), "2024-02-29");
    converts(
        DataType.INTERVAL,
        DataType.STRING,
        new IntervalValue(14, -3, 1_500_000_000L),
        "P1Y2M-3DT1.5S");
    converts(DataType.list(DataType.INT32), DataType.STRING, Arrays.asList(1, null), "[1, NULL]");
    converts(DataType.UUID, DataType.STRING, new UUID(1, 2), new UUID(1, 2).toString());
    converts(DataType.STRING, DataType.UUID, new UUID(1, 2).toString(), new UUID(1, 2));
    refuses(DataType.STRING, DataType.UUID, new UUID(1, 2).toString(), "1-2-3-4-5", "");
    converts(DataType.BINARY, DataType.STRING, "naïve".getBytes(StandardCharsets.UTF_8), "naïve");
    refuses(DataType.BINARY, DataType.STRING, new byte[] {65}, new byte[] {-1});
    converts(DataType.STRING, DataType.BINARY, "naïve", "naïve".getBytes(StandardCharsets.UTF_8));
    refuses(DataType.BINARY, new DataType.FixedBinary(2), new byte[] {1, 2}, new byte[] {1});
    converts(new DataType.FixedBinary(2), DataType.BINARY, new byte[] {1, 2}, new byte[] {1, 2});
  }

  @Test
  void listsAndEmbeddings() {
    DataType ints = DataType.list(DataType.INT32);
    converts(
        ints,
        DataType.list(DataType.STRING),
        Arrays.asList(1, null, 3),
        Arrays.asList("1", null, "3"),
        List.of(),
        List.of());
    DataType embedding = DataType.embedding(DataType.FLOAT32, 2);
    converts(DataType.list(DataType.FLOAT64), embedding, List.of(1.0, 2.5), new float[] {1, 2.5f});
    refuses(ints, embedding, List.of(1, 2), List.of(1), List.of(1, 2, 3), Arrays.asList(1, null));
    converts(embedding, DataType.list(DataType.FLOAT64), new float[] {1, 2.5f}, List.of(1.0, 2.5));
    converts(
        embedding,
        DataType.fixedList(DataType.FLOAT32, 2),
        new float[] {1, 2.5f},
        List.of(1f, 2.5f));
    converts(
        DataType.fixedList(DataType.FLOAT32, 2),
        embedding,
        List.of(1f, 2.5f),
        new float[] {1, 2.5f});
    // An element that does not fit is null where elements may be null.
    harness.check(
        cast(DataType.list(DataType.STRING), ints, true),
        List.of(DataType.list(DataType.STRING)),
        List.of(List.of(List.of("1", "x"))),
        row -> Arrays.asList(1, null));
  }

  @Test
  void aFailureInsideOfAnUnselectedListIsNone() {
    DataType texts = DataType.list(DataType.STRING);
    harness.checkFails(
        cast(texts, DataType.list(DataType.INT32), false),
        List.of(texts),
        List.of(List.of("x")),
        List.of(List.of("1")),
        ErrorCode.INVALID_CAST);
  }

  @Test
  void structsMapsAndImages() {
    DataType from =
        DataType.struct(Field.nullable("a", DataType.INT32), Field.nullable("b", DataType.STRING));
    DataType to =
        DataType.struct(Field.nullable("x", DataType.INT64), Field.nullable("y", DataType.DATE));
    Map<String, Object> source = new LinkedHashMap<>();
    source.put("a", 1);
    source.put("b", "2024-02-29");
    Map<String, Object> target = new LinkedHashMap<>();
    target.put("x", 1L);
    target.put("y", LocalDate.of(2024, 2, 29));
    converts(from, to, source, target);
    converts(
        DataType.map(DataType.STRING, DataType.INT32),
        DataType.map(DataType.STRING, DataType.STRING),
        new LinkedHashMap<>(Map.of("k", 1)),
        new LinkedHashMap<>(Map.of("k", "1")));
    ImageValue image = new ImageValue(ImageMode.L, 1, 2, new byte[] {1, 2});
    DataType any = new DataType.Image(Optional.empty());
    DataType fixed = new DataType.FixedShapeImage(ImageMode.L, 1, 2);
    converts(any, fixed, image, image);
    converts(fixed, any, image, image);
    refuses(any, fixed, image, new ImageValue(ImageMode.L, 2, 1, new byte[] {1, 2}));
  }

  @Test
  void nullHasEveryType() {
    converts(DataType.NULL, DataType.decimal(5, 2));
    converts(DataType.NULL, DataType.list(DataType.INT32));
  }

  @Test
  void typesWithoutConversion() {
    MillraceException fault =
        assertThrows(
            MillraceException.class,
            () ->
                harness.values(
                    cast(DataType.DATE, DataType.BOOLEAN, false),
                    List.of(DataType.DATE),
                    List.of(List.of(LocalDate.EPOCH)),
                    KernelHarness.Form.FLAT,
                    null));
    assertEquals(ErrorCode.TYPE_MISMATCH, fault.code());
  }
}
