package io.millrace.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.core.batch.Batch;
import io.millrace.core.batch.VectorBuilder;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import io.millrace.core.type.TimeUnit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FixtureRowsTest {
  private static final Schema SCHEMA =
      new Schema(
          List.of(
              Field.nullable("id", DataType.INT32),
              Field.nullable("value", DataType.FLOAT64),
              Field.nullable("price", DataType.decimal(15, 2)),
              Field.nullable("seen", DataType.timestamp(TimeUnit.MICROSECOND, "UTC")),
              Field.nullable("photo", DataType.BINARY),
              Field.nullable("tags", DataType.list(DataType.STRING)),
              Field.nullable("counts", DataType.map(DataType.STRING, DataType.INT64))));

  @TempDir Path folder;

  @Test
  void findsNothingInEqualRowsAndNamesWhatDiffers() throws IOException {
    FixtureRows expected = expected();
    try (BufferAllocator allocator = new RootAllocator()) {
      try (Batch equal = batch(allocator, -0.0, "2.50")) {
        assertEquals(List.of(), expected.differences(List.of(equal)));
      }
      try (Batch other = batch(allocator, 0.0, "2.51")) {
        List<String> differences = expected.differences(List.of(other));
        assertEquals(2, differences.size(), differences.toString());
        assertEquals("row 0, value: expected -0.0, found 0.0", differences.get(0));
        assertEquals("row 0, price: expected 2.50, found 2.51", differences.get(1));
      }
      assertEquals("expected 2 rows, found 0", expected.differences(List.of()).getFirst());
    }
  }

  @Test
  void followsTheFileThatHasTheSameRows() throws IOException {
    expected();
    Files.writeString(folder.resolve("b.csv.expected.json"), "{\"same_as\": \"a.csv\"}");
    assertEquals(2, FixtureRows.ofFile(folder.resolve("b.csv")).rowCount());
    assertTrue(FixtureRows.ofFile(folder.resolve("b.csv")).value(1, "id").isNull());
  }

  private FixtureRows expected() throws IOException {
    Files.writeString(
        folder.resolve("a.csv.expected.json"),
        """
        {"rows": [
          {"id": 1, "value": -0.0, "price": "2.50", "seen": "2026-03-29T00:30:00.000001Z",
           "photo": {"length": 3,
             "sha256": "039058c6f2c0cb492c533b0a4d14ef77cc0f78abccced5287d84a1a2011cfb81"},
           "tags": ["a", null], "counts": [{"key": "k", "value": null}]},
          {"id": null, "value": "NaN", "price": null, "seen": null, "photo": "AQI=", "tags": [],
           "counts": null}]}
        """);
    return FixtureRows.ofFile(folder.resolve("a.csv"));
  }

  private static Batch batch(BufferAllocator allocator, double value, String price) {
    Map<String, Object> counts = new LinkedHashMap<>();
    counts.put("k", null);
    List<List<Object>> rows =
        List.of(
            Arrays.asList(
                1,
                value,
                new java.math.BigDecimal(price),
                Instant.parse("2026-03-29T00:30:00.000001Z"),
                new byte[] {1, 2, 3},
                Arrays.asList("a", null),
                counts),
            Arrays.asList(null, Double.NaN, null, null, new byte[] {1, 2}, List.of(), null));
    List<io.millrace.core.batch.ColumnVector> columns = new ArrayList<>();
    for (int column = 0; column < SCHEMA.size(); column++) {
      try (VectorBuilder builder = new VectorBuilder(SCHEMA.field(column).type(), allocator)) {
        for (List<Object> row : rows) {
          builder.appendValue(row.get(column));
        }
        columns.add(builder.finish());
      }
    }
    return new Batch(SCHEMA, columns, rows.size());
  }
}
