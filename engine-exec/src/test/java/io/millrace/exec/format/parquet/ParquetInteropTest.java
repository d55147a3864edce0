package io.millrace.exec.format.parquet;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.core.batch.Batch;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import io.millrace.core.type.TimeUnit;
import io.millrace.exec.format.parquet.write.ParquetOutput;
import io.millrace.testkit.BatchForm;
import io.millrace.testkit.BatchGenerators;
import io.millrace.testkit.RootAllocatorFixture;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.parquet.format.CompressionCodec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** DuckDB reads what is written here. */
class ParquetInteropTest {
  private static final Schema SCHEMA =
      Schema.of(
          Field.required("id", DataType.INT64),
          Field.nullable("tiny", DataType.INT8),
          Field.nullable("wide", DataType.UINT64),
          Field.nullable("single", DataType.FLOAT32),
          Field.nullable("price", DataType.decimal(9, 2)),
          Field.nullable("amount", DataType.decimal(18, 4)),
          Field.nullable("huge", DataType.decimal(38, 10)),
          Field.nullable("flag", DataType.BOOLEAN),
          Field.nullable("name", DataType.STRING),
          Field.nullable("day", DataType.DATE),
          Field.nullable("clock", new DataType.Time(TimeUnit.MICROSECOND)),
          Field.nullable("local", DataType.timestamp(TimeUnit.MILLISECOND)),
          Field.nullable("instant", DataType.timestamp(TimeUnit.MICROSECOND, "Europe/Berlin")),
          Field.nullable("uid", DataType.UUID),
          Field.nullable("numbers", DataType.list(DataType.INT32)),
          Field.nullable(
              "point",
              DataType.struct(
                  Field.nullable("x", DataType.FLOAT64), Field.nullable("s", DataType.STRING))),
          Field.nullable("counts", DataType.map(DataType.STRING, DataType.INT64)),
          Field.nullable("embedding", DataType.embedding(DataType.FLOAT32, 3)));

  @RegisterExtension final RootAllocatorFixture root = new RootAllocatorFixture();

  @TempDir Path folder;

  private Path write(List<List<Object>> rows, CompressionCodec codec) throws Exception {
    Path file = folder.resolve("out.parquet");
    try (OutputStream stream = Files.newOutputStream(file)) {
      ParquetOutput output = new ParquetOutput(stream, SCHEMA, codec, 100, root.allocator());
      BatchGenerators generators = new BatchGenerators(1, root.allocator());
      for (Batch batch : generators.batches(SCHEMA, rows, 64, BatchForm.DICTIONARY)) {
        output.write(batch);
      }
      output.finish();
    }
    return file;
  }

  private static List<Object> row(long id) {
    if (id % 9 == 4) {
      List<Object> nulls = new ArrayList<>(java.util.Collections.nCopies(SCHEMA.size(), null));
      nulls.set(0, id);
      return nulls;
    }
    return Arrays.asList(
        id,
        (byte) (id - 60),
        BigInteger.TWO.pow(63).add(BigInteger.valueOf(id)),
        id / 3f,
        BigDecimal.valueOf(id * 101 - 5000, 2),
        BigDecimal.valueOf(id * -1_000_003, 4),
        new BigDecimal("-1234567890123456789012345678.9012345678").add(BigDecimal.valueOf(id)),
        id % 2 == 0,
        "name " + id % 13,
        LocalDate.of(1969, 12, 1).plusDays(id),
        LocalTime.of(1, 2, 3, 456_789_000).plusSeconds(id * 601),
        LocalDateTime.of(1969, 12, 31, 23, 59, 59, 5_000_000).plusSeconds(id),
        Instant.parse("2024-03-31T00:59:59.123456Z").plusSeconds(id),
        new UUID(id * 31, ~id),
        id % 5 == 0 ? List.of() : Arrays.asList((int) id, null, 3),
        Map.of("x", id / 8.0, "s", "p" + id),
        Map.of("k" + id, id),
        new float[] {id, 0.5f, -1});
  }

  @ParameterizedTest
  @EnumSource(
      value = CompressionCodec.class,
      names = {"UNCOMPRESSED", "SNAPPY", "ZSTD", "GZIP"})
  void duckDbReadsEveryValue(CompressionCodec codec) throws Exception {
    List<List<Object>> rows = new ArrayList<>();
    for (long id = 0; id < 150; id++) {
      rows.add(row(id));
    }
    Path file = write(rows, codec);
    try (Connection duckDb = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = duckDb.createStatement()) {
      statement.execute("SET TimeZone = 'UTC'");
      String text =
          "SELECT id, tiny, wide, single, price, amount, huge, flag, name, day, clock, local,"
              + " epoch_us(instant), uid, numbers::VARCHAR, point.x, point.s, map_keys(counts)[1],"
              + " map_values(counts)[1], embedding::VARCHAR FROM '"
              + file
              + "' ORDER BY id";
      try (ResultSet found = statement.executeQuery(text)) {
        for (List<Object> row : rows) {
          found.next();
          compare(row, found);
        }
        assertEquals(false, found.next());
      }
    }
  }

  private static void compare(List<Object> row, ResultSet found) throws Exception {
    assertEquals(row.get(0), found.getLong(1));
    if (row.get(1) == null) {
      for (int column = 2; column <= 20; column++) {
        assertEquals(null, found.getObject(column), "column " + column);
      }
      return;
    }
    for (int column = 2; column <= 9; column++) {
      assertEquals(String.valueOf(row.get(column - 1)), found.getString(column));
    }
    assertEquals(row.get(9).toString(), found.getString(10));
    assertEquals(row.get(10), LocalTime.parse(found.getString(11)));
    assertEquals(row.get(11), LocalDateTime.parse(found.getString(12).replace(' ', 'T')));
    Instant instant = (Instant) row.get(12);
    assertEquals(
        instant.getEpochSecond() * 1_000_000 + instant.getNano() / 1000, found.getLong(13));
    assertEquals(row.get(13).toString(), found.getString(14));
    assertEquals(row.get(14).toString().replace("null", "NULL"), found.getString(15));
    Map<?, ?> point = (Map<?, ?>) row.get(15);
    assertEquals(point.get("x"), found.getDouble(16));
    assertEquals(point.get("s"), found.getString(17));
    Map<?, ?> counts = (Map<?, ?>) row.get(16);
    assertEquals(counts.keySet().iterator().next(), found.getString(18));
    assertEquals(counts.values().iterator().next(), found.getLong(19));
    assertEquals(Arrays.toString((float[]) row.get(17)), found.getString(20));
  }

  /** DuckDB prunes row groups by them: a wrong one loses rows. */
  @Test
  void statisticsHold() throws Exception {
    List<List<Object>> rows = new ArrayList<>();
    for (long id = 0; id < 1000; id++) {
      rows.add(row(id));
    }
    Path file = write(rows, CompressionCodec.SNAPPY);
    try (Connection duckDb = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = duckDb.createStatement()) {
      for (String filter :
          List.of(
              "price < -40",
              "huge > -1234567890123456789012345000",
              "amount = -100.0003",
              "wide = 9223372036854775900",
              "name = 'name 7'",
              "day = DATE '1970-02-01'",
              "single BETWEEN 100 AND 101",
              "tiny < -50",
              "local < TIMESTAMP '1970-01-01 00:00:10'")) {
        String pruned = "SELECT count(*) FROM '" + file + "' WHERE " + filter;
        String all =
            "SELECT count(*) FROM (SELECT * FROM '"
                + file
                + "' ORDER BY random() LIMIT 100000) WHERE "
                + filter;
        assertEquals(count(statement, all), count(statement, pruned), filter);
      }
      try (ResultSet found =
          statement.executeQuery(
              "SELECT stats_min_value, stats_max_value, stats_null_count FROM parquet_metadata('"
                  + file
                  + "') WHERE path_in_schema = 'id' AND row_group_id = 1")) {
        found.next();
        assertEquals(
            "100 199 0", found.getString(1) + " " + found.getString(2) + " " + found.getString(3));
      }
    }
  }

  private static long count(Statement statement, String text) throws Exception {
    try (ResultSet found = statement.executeQuery(text)) {
      found.next();
      return found.getLong(1);
    }
  }
}
