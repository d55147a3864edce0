package io.millrace.planner.sql;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.TimeUnit;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTextTest {

  @Test
  void readsValues() {
    assertEquals(null, JsonText.parse(" null "));
    assertEquals(true, JsonText.parse("true"));
    assertEquals(new BigDecimal("-1.5e3"), JsonText.parse("-1.5e3"));
    assertEquals("a\"\u2603\n", JsonText.parse("\"a\\\"\\u2603\\n\""));
    assertEquals(Arrays.asList(BigDecimal.ONE, null, List.of()), JsonText.parse("[1, null, [ ]]"));
    assertEquals(
        Map.of("a", BigDecimal.ONE, "b", Map.of()), JsonText.parse("{\"a\": 1, \"b\": {}}"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "rain", "[1", "[1,]", "{\"a\" 1}", "{a: 1}", "\"a", "1 2", "--1", "\"\\x\""})
  void refusesWhatIsNoJson(String text) {
    assertThrows(IllegalArgumentException.class, () -> JsonText.parse(text));
  }

  private static Object read(String json, DataType type) {
    return JsonValues.read(JsonText.parse(json), type);
  }

  @Test
  void valuesHaveTheClassOfTheirType() {
    assertEquals((byte) 5, read("5", DataType.INT8));
    assertEquals((short) 255, read("255", DataType.UINT8));
    assertEquals(5L, read("5.0", DataType.INT64));
    assertEquals(
        new BigInteger("18446744073709551615"), read("18446744073709551615", DataType.UINT64));
    assertEquals(1.5f, read("1.5", DataType.FLOAT32));
    assertEquals(Double.NaN, read("\"NaN\"", DataType.FLOAT64));
    assertEquals(new BigDecimal("1.50"), read("1.5", DataType.decimal(5, 2)));
    assertEquals(LocalDate.of(2026, 1, 2), read("\"2026-01-02\"", DataType.DATE));
    assertEquals(
        LocalDateTime.of(2026, 1, 2, 3, 4),
        read("\"2026-01-02 03:04\"", DataType.timestamp(TimeUnit.SECOND)));
    assertEquals(
        Instant.parse("2026-01-02T02:04:00Z"),
        read("\"2026-01-02T03:04+01:00\"", DataType.timestamp(TimeUnit.SECOND, "UTC")));
    assertArrayEquals(
        new float[] {1, 2.5f}, (float[]) read("[1, 2.5]", DataType.embedding(DataType.FLOAT32, 2)));
    assertArrayEquals(new byte[] {1, 2}, (byte[]) read("\"AQI=\"", DataType.BINARY));
    assertEquals(
        Map.of("a", 1), read("{\"a\": 1}", DataType.struct(Field.nullable("a", DataType.INT32))));
  }

  @Test
  void valuesThatDoNotFitAreRefused() {
    for (String json : List.of("128", "1.5", "\"1\"", "true")) {
      assertThrows(IllegalArgumentException.class, () -> read(json, DataType.INT8), json);
    }
    assertThrows(
        IllegalArgumentException.class, () -> read("[1]", DataType.embedding(DataType.FLOAT32, 2)));
    assertThrows(
        IllegalArgumentException.class,
        () -> read("[1, null]", DataType.embedding(DataType.FLOAT32, 2)));
    assertThrows(IllegalArgumentException.class, () -> read("1.555", DataType.decimal(5, 2)));
    assertThrows(IllegalArgumentException.class, () -> read("\"2026-02-30\"", DataType.DATE));
  }

  @Test
  void naturalTypesAreTheNarrowestUsual() {
    assertEquals(DataType.INT32, JsonValues.naturalType(JsonText.parse("5")));
    assertEquals(DataType.INT64, JsonValues.naturalType(JsonText.parse("5000000000")));
    assertEquals(DataType.decimal(3, 2), JsonValues.naturalType(JsonText.parse("1.25")));
    assertEquals(DataType.STRING, JsonValues.naturalType(JsonText.parse("\"a\"")));
    assertEquals(
        DataType.list(DataType.decimal(11, 1)), JsonValues.naturalType(JsonText.parse("[1, 2.5]")));
  }
}
