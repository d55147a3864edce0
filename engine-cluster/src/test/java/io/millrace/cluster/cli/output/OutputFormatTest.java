package io.millrace.cluster.cli.output;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.core.batch.Batch;
import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.FileValue;
import io.millrace.core.batch.FlatVector;
import io.millrace.core.batch.ImageValue;
import io.millrace.core.batch.IntervalValue;
import io.millrace.core.batch.SparseTensorValue;
import io.millrace.core.batch.TensorValue;
import io.millrace.core.batch.VectorBuilder;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.FileKind;
import io.millrace.core.type.ImageMode;
import io.millrace.core.type.Schema;
import io.millrace.core.type.TimeUnit;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowStreamReader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class OutputFormatTest {
  private BufferAllocator allocator;

  @BeforeEach
  void open() {
    allocator = new RootAllocator();
  }

  @AfterEach
  void close() {
    allocator.close();
  }

  /** Type, Java value, CSV field, JSON value. */
  static Stream<Arguments> values() {
    return Stream.of(numbers(), temporal(), texts(), nested()).flatMap(List::stream);
  }

  private static List<Arguments> numbers() {
    return List.of(
        Arguments.of(DataType.BOOLEAN, true, "true", "true"),
        Arguments.of(DataType.INT8, -7, "-7", "-7"),
        Arguments.of(
            DataType.INT64, Long.MIN_VALUE, "-9223372036854775808", "-9223372036854775808"),
        Arguments.of(
            DataType.UINT64,
            new BigInteger("18446744073709551615"),
            "18446744073709551615",
            "18446744073709551615"),
        Arguments.of(DataType.FLOAT64, 0.1, "0.1", "0.1"),
        Arguments.of(DataType.FLOAT64, 1e300, "1.0E300", "1.0E300"),
        Arguments.of(DataType.FLOAT64, Double.NaN, "NaN", "\"NaN\""),
        Arguments.of(DataType.FLOAT64, Double.NEGATIVE_INFINITY, "-Infinity", "\"-Infinity\""),
        Arguments.of(DataType.FLOAT32, 0.1f, "0.1", "0.1"),
        Arguments.of(DataType.FLOAT32, Float.POSITIVE_INFINITY, "Infinity", "\"Infinity\""),
        Arguments.of(DataType.decimal(10, 2), new BigDecimal("12.30"), "12.30", "12.30"),
        Arguments.of(
            DataType.decimal(38, 0),
            BigDecimal.TEN.pow(30),
            "1" + "0".repeat(30),
            "1" + "0".repeat(30)),
        Arguments.of(
            DataType.decimal(38, 10), new BigDecimal("0E-10"), "0.0000000000", "0.0000000000"));
  }

  private static List<Arguments> temporal() {
    return List.of(
        Arguments.of(DataType.DATE, LocalDate.of(2026, 11, 30), "2026-11-30", "\"2026-11-30\""),
        Arguments.of(
            new DataType.Time(TimeUnit.MICROSECOND),
            LocalTime.of(7, 5),
            "07:05:00",
            "\"07:05:00\""),
        Arguments.of(
            DataType.timestamp(TimeUnit.MICROSECOND),
            LocalDateTime.of(2026, 1, 2, 3, 0),
            "2026-01-02T03:00:00",
            "\"2026-01-02T03:00:00\""),
        Arguments.of(
            DataType.timestamp(TimeUnit.MICROSECOND, "Europe/Berlin"),
            Instant.parse("2026-01-02T03:04:05.1234Z"),
            "2026-01-02T03:04:05.1234Z",
            "\"2026-01-02T03:04:05.1234Z\""),
        Arguments.of(
            new DataType.Duration(TimeUnit.MILLISECOND),
            Duration.ofMillis(1500),
            "PT1.5S",
            "\"PT1.5S\""),
        Arguments.of(
            DataType.INTERVAL,
            new IntervalValue(14, -3, 500_000_000L),
            "P14M-3DT0.5S",
            "\"P14M-3DT0.5S\""),
        Arguments.of(DataType.INTERVAL, new IntervalValue(0, 0, 0), "PT0S", "\"PT0S\""));
  }

  private static List<Arguments> texts() {
    return List.of(
        Arguments.of(DataType.STRING, "plain", "plain", "\"plain\""),
        Arguments.of(DataType.STRING, "", "\"\"", "\"\""),
        Arguments.of(DataType.STRING, "a,b", "\"a,b\"", "\"a,b\""),
        Arguments.of(DataType.STRING, "say \"hi\"", "\"say \"\"hi\"\"\"", "\"say \\\"hi\\\"\""),
        Arguments.of(DataType.STRING, "two\nlines", "\"two\nlines\"", "\"two\\nlines\""),
        Arguments.of(
            DataType.STRING,
            "bell\u0007 Grüße 🌧",
            "bell\u0007 Grüße 🌧",
            "\"bell\\u0007 Grüße 🌧\""),
        Arguments.of(DataType.BINARY, new byte[] {0, 1, (byte) 0xff}, "AAH/", "\"AAH/\""),
        Arguments.of(DataType.BINARY, new byte[0], "\"\"", "\"\""),
        Arguments.of(
            DataType.UUID,
            UUID.fromString("00000000-0000-0001-0000-000000000002"),
            "00000000-0000-0001-0000-000000000002",
            "\"00000000-0000-0001-0000-000000000002\""));
  }

  private static List<Arguments> nested() {
    return List.of(
        Arguments.of(
            DataType.list(DataType.INT32),
            Arrays.asList(1, null, 3),
            "\"[1,null,3]\"",
            "[1,null,3]"),
        Arguments.of(DataType.list(DataType.STRING), List.of(), "[]", "[]"),
        Arguments.of(
            DataType.struct(
                Field.nullable("a", DataType.INT32), Field.nullable("b", DataType.FLOAT64)),
            Map.of("a", 1, "b", Double.NaN),
            "\"{\"\"a\"\":1,\"\"b\"\":\"\"NaN\"\"}\"",
            "{\"a\":1,\"b\":\"NaN\"}"),
        Arguments.of(
            DataType.map(DataType.INT32, DataType.decimal(4, 1)),
            Map.of(5, new BigDecimal("2.0")),
            "\"{\"\"5\"\":2.0}\"",
            "{\"5\":2.0}"),
        Arguments.of(
            DataType.embedding(DataType.FLOAT32, 2),
            new float[] {0.5f, -1},
            "\"[0.5,-1.0]\"",
            "[0.5,-1.0]"),
        Arguments.of(
            new DataType.Image(Optional.empty()),
            new ImageValue(ImageMode.RGB, 1, 2, new byte[6]),
            "\"image(RGB, 1x2)\"",
            "\"image(RGB, 1x2)\""),
        Arguments.of(
            new DataType.Tensor(DataType.FLOAT32, OptionalInt.empty()),
            new TensorValue(new int[] {2, 1}, List.of(1f, 2f)),
            "tensor<float32>[2x1]",
            "\"tensor<float32>[2x1]\""),
        Arguments.of(
            new DataType.SparseTensor(DataType.INT32),
            new SparseTensorValue(new int[] {3}, new long[] {1}, List.of(9)),
            "sparse_tensor<int32>[3]",
            "\"sparse_tensor<int32>[3]\""),
        Arguments.of(
            new DataType.File(FileKind.ANY),
            new FileValue("a.jpg", null, 10L, null),
            "\"{\"\"uri\"\":\"\"a.jpg\"\",\"\"offset\"\":null,\"\"size\"\":10,\"\"etag\"\":null}\"",
            "{\"uri\":\"a.jpg\",\"offset\":null,\"size\":10,\"etag\":null}"));
  }

  @ParameterizedTest
  @MethodSource("values")
  void csv(DataType type, Object value, String csv, String json) {
    assertEquals("c,d\n" + csv + ",\n", print(OutputFormat.CSV, type, value));
  }

  @ParameterizedTest
  @MethodSource("values")
  void json(DataType type, Object value, String csv, String json) {
    assertEquals("{\"c\":" + json + ",\"d\":null}\n", print(OutputFormat.JSON, type, value));
  }

  @Test
  void csvSeparatesResultsByAnEmptyLineAndPrintsAHeaderWithoutRows() {
    assertEquals(
        "a\n1\n\na\n\na\n2\n",
        print(OutputFormat.CSV, List.of(ints("a", 1)), List.of(ints("a")), List.of(ints("a", 2))));
  }

  @Test
  void csvQuotesHeaders() {
    assertEquals("\"a,b\",\"\"\n1,2\n", print(OutputFormat.CSV, List.of(pair("a,b", "", 1, 2))));
  }

  @Test
  void jsonResultsFollowEachOther() {
    assertEquals(
        "{\"a\":1}\n{\"a\":2}\n",
        print(OutputFormat.JSON, List.of(ints("a", 1)), List.of(ints("a", 2))));
  }

  @Test
  void jsonKeysAreUnique() {
    assertEquals("{\"a\":1,\"a_1\":2}\n", print(OutputFormat.JSON, List.of(pair("a", "a", 1, 2))));
  }

  @Test
  void printsSelectedRowsInTheirOrder() {
    Batch batch = ints("a", 10, 20, 30).withSelection(new int[] {2, 0}, 2);
    assertEquals("a\n30\n10\n", print(OutputFormat.CSV, List.of(batch)));
  }

  @Test
  void tablesAlignNumbersRightAndShowNull() {
    Schema schema =
        Schema.of(Field.nullable("n", DataType.INT32), Field.nullable("word", DataType.STRING));
    Batch batch =
        batch(
            schema,
            List.of(
                Arrays.asList(1, "rain"), Arrays.asList(100, null), Arrays.asList(null, "雨\n")));
    assertEquals(
        "    n | word\n"
            + "------+------\n"
            + "    1 | rain\n"
            + "  100 | NULL\n"
            + " NULL | 雨\\n\n",
        print(OutputFormat.TABLE, List.of(batch)));
  }

  @Test
  void aTableWithoutRowsHasAHeader() {
    assertEquals(" a\n---\n", print(OutputFormat.TABLE, List.of(ints("a"))));
  }

  @Test
  void manyRowsArePrintedWhole() {
    int[] numbers = new int[2_500];
    Arrays.setAll(numbers, i -> i * 1_000);
    String table = print(OutputFormat.TABLE, List.of(ints("a", numbers)));
    assertEquals(2_502, table.lines().count());
    assertEquals(" 2499000", table.lines().reduce((before, last) -> last).orElseThrow());
  }

  @Test
  void arrowResultsAreStreamsThatArrowReads() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ResultWriter writer = OutputFormat.ARROW.writer(bytes, allocator);
    for (int result = 1; result <= 2; result++) {
      try (Batch batch = ints("a", 10 * result, 30).withSelection(new int[] {1, 0}, result)) {
        writer.begin(batch.schema());
        writer.write(batch);
        writer.end();
      }
    }
    ByteArrayInputStream in = new ByteArrayInputStream(bytes.toByteArray());
    for (int result = 1; result <= 2; result++) {
      try (ArrowStreamReader reader = new ArrowStreamReader(in, allocator)) {
        assertTrue(reader.loadNextBatch());
        VectorSchemaRoot root = reader.getVectorSchemaRoot();
        assertEquals("a", root.getVector(0).getName());
        assertEquals(result, root.getRowCount());
        assertEquals(30, root.getVector(0).getObject(0));
        assertFalse(reader.loadNextBatch());
      }
    }
  }

  private String print(OutputFormat format, DataType type, Object value) {
    Schema schema = Schema.of(Field.nullable("c", type), Field.nullable("d", type));
    return print(format, List.of(batch(schema, List.of(Arrays.asList(value, null)))));
  }

  @SafeVarargs
  private String print(OutputFormat format, List<Batch>... results) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ResultWriter writer = format.writer(bytes, allocator);
    try {
      for (List<Batch> batches : results) {
        writer.begin(batches.getFirst().schema());
        for (Batch batch : batches) {
          try (batch) {
            writer.write(batch);
          }
        }
        writer.end();
      }
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  private Batch ints(String name, int... values) {
    List<List<Object>> rows = new ArrayList<>();
    for (int value : values) {
      rows.add(List.of(value));
    }
    return batch(Schema.of(Field.nullable(name, DataType.INT32)), rows);
  }

  private Batch pair(String first, String second, int left, int right) {
    return batch(
        Schema.of(Field.nullable(first, DataType.INT32), Field.nullable(second, DataType.INT32)),
        List.of(List.of(left, right)));
  }

  private Batch batch(Schema schema, List<? extends List<?>> rows) {
    List<ColumnVector> columns = new ArrayList<>();
    for (int index = 0; index < schema.size(); index++) {
      try (VectorBuilder builder = new VectorBuilder(schema.field(index).type(), allocator)) {
        for (List<?> row : rows) {
          builder.appendValue(row.get(index));
        }
        FlatVector column = builder.finish();
        columns.add(column);
      }
    }
    return new Batch(schema, columns, rows.size());
  }
}
