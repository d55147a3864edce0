package io.millrace.exec.format.csv;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.core.batch.Batch;
import io.millrace.core.config.Configuration;
import io.millrace.core.config.Settings;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.spi.ConnectorContext;
import io.millrace.core.spi.Table;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.TimeUnit;
import io.millrace.exec.format.TableScan;
import io.millrace.exec.store.SchemeStores;
import io.millrace.testkit.BatchRows;
import io.millrace.testkit.FixtureRows;
import io.millrace.testkit.RootAllocatorFixture;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ForkJoinPool;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CsvSourceTest {
  private static final Path FIXTURES = Path.of("src/test/resources/fixtures");

  @RegisterExtension final RootAllocatorFixture root = new RootAllocatorFixture();

  @TempDir Path folder;

  private TableScan scan(CsvConnector connector, int batchRows) {
    return new TableScan(
        connector,
        new ConnectorContext(
            root.allocator(),
            ForkJoinPool.commonPool(),
            new SchemeStores(),
            Configuration.DEFAULTS.with(Settings.BATCH_ROWS, batchRows)));
  }

  private TableScan scan() {
    return scan(new CsvConnector(), 1024);
  }

  private Path file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  private static List<List<Object>> rows(List<Batch> batches) {
    List<List<Object>> rows = new ArrayList<>();
    for (Batch batch : batches) {
      rows.addAll(BatchRows.of(batch));
      batch.close();
    }
    return rows;
  }

  private List<DataType> types(Path file) {
    try (Table table = scan().open(file)) {
      return table.schema().types();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "quotes.csv, 1", "quotes.csv, 7", "quotes.csv, 1024",
    "duckdb.csv, 1", "duckdb.csv, 7", "duckdb.csv, 1024",
    "duckdb.csv.gz, 7"
  })
  void givesTheRowsOfFixtures(String name, int batchRows) throws Exception {
    Path file = FIXTURES.resolve(name);
    List<Batch> batches = scan(new CsvConnector(), batchRows).read(file);
    try {
      assertEquals(List.of(), FixtureRows.ofFile(file).differences(batches));
    } finally {
      batches.forEach(Batch::close);
    }
  }

  @Test
  void infersTypes() throws Exception {
    Path file =
        file(
            "types.csv",
            """
            i,big,f,b,d,t,z,ns,s,mixed,none
            1,9223372036854775808,1,true,2024-02-29,2024-02-29 12:00,2024-02-29T12:00:00Z,2024-02-29 12:00:00.1234567,x,1,
            -2,1,2.5e3,FALSE,1969-12-31,2024-02-29,2024-02-29 12:00:00+01:00,2024-02-29 12:00:00,nan,1.5,
            ,,,,,,,,,abc,
            """);
    assertEquals(
        List.of(
            DataType.INT64,
            DataType.decimal(38, 0),
            DataType.FLOAT64,
            DataType.BOOLEAN,
            DataType.DATE,
            DataType.timestamp(TimeUnit.MICROSECOND),
            DataType.timestamp(TimeUnit.MICROSECOND, "UTC"),
            DataType.timestamp(TimeUnit.NANOSECOND),
            DataType.STRING,
            DataType.STRING,
            DataType.STRING),
        types(file));
    assertEquals(
        "[[1, 9223372036854775808, 1.0, true, 2024-02-29, 2024-02-29T12:00,"
            + " 2024-02-29T12:00:00Z, 2024-02-29T12:00:00.123456700, x, 1, null],"
            + " [-2, 1, 2500.0, false, 1969-12-31, 2024-02-29T00:00, 2024-02-29T11:00:00Z,"
            + " 2024-02-29T12:00, nan, 1.5, null],"
            + " [null, null, null, null, null, null, null, null, null, abc, null]]",
        rows(scan().read(file)).toString());
  }

  @Test
  void readsMarkAndCarriageReturnsAndQuotedLineEnds() throws Exception {
    Path file = file("mark.csv", "\uFEFFa,b\r\n1,\"x\r\ny\"\r\n2,\"\"\r\n\r\n3,");
    assertEquals("[[1, x\r\ny], [2, ], [3, null]]", rows(scan().read(file)).toString());
  }

  @Test
  void takesOptions() throws Exception {
    Path file = file("options.txt", "1;'a;b';-\n-;'it''s';2.50\n");
    Map<String, String> options =
        Map.of(
            "header",
            "false",
            "sep",
            ";",
            "quote",
            "'",
            "nullstr",
            "-",
            "types",
            "column2 decimal(10, 2)");
    assertEquals(
        "[[1, a;b, null], [null, it's, 2.50]]",
        rows(scan().options(options).read(file)).toString());
    Path named = file("schema.csv", "1,x\n2,y\n");
    assertEquals(
        "[[1, x], [2, y]]",
        rows(scan()
                .options(Map.of("header", "false", "schema", "id int32, name string"))
                .read(named))
            .toString());
    assertThrows(MillraceException.class, () -> scan().options(Map.of("sep", "ab")).open(file));
    assertThrows(
        MillraceException.class,
        () -> scan().options(Map.of("types", "unknown int64")).open(named));
  }

  @Test
  void findsTheDelimiterOfTheFirstLine() throws Exception {
    assertEquals("[[1, x]]", rows(scan().read(file("a.tsv", "a\tb\n1\tx\n"))).toString());
    assertEquals("[[1, x,y]]", rows(scan().read(file("b.csv", "a;b\n1;x,y\n"))).toString());
  }

  @Test
  void ordersColumnsOfOtherFilesByTheirHeaders() throws Exception {
    file("1.csv", "a,b\n1,x\n");
    file("2.csv", "b,a\ny,2\n");
    assertEquals("[[1, x], [2, y]]", rows(scan().read(folder)).toString());
    file("3.csv", "a,c\n1,x\n");
    MillraceException problem = assertThrows(MillraceException.class, () -> scan().read(folder));
    assertEquals(ErrorCode.SCHEMA_MISMATCH, problem.code());
    assertTrue(problem.getMessage().contains("3.csv"), problem.getMessage());
  }

  @ParameterizedTest
  @CsvSource({"bad-width.csv, 3", "bad-quote.csv, 2"})
  void whatIsNoRecordNamesFileAndLine(String name, int line) {
    MillraceException problem =
        assertThrows(MillraceException.class, () -> scan().read(FIXTURES.resolve(name)));
    assertEquals(ErrorCode.INVALID_FILE, problem.code());
    assertTrue(problem.getMessage().contains("Line " + line + " of"), problem.getMessage());
    assertTrue(problem.getMessage().contains(name), problem.getMessage());
  }

  @Test
  void lateMisfitNamesFileLineAndColumn() throws Exception {
    StringBuilder text = new StringBuilder("id,count\n");
    for (int row = 0; row < 30_000; row++) {
      text.append(row).append(',').append(row % 7).append('\n');
    }
    text.append("30000,many\n");
    Path file = file("late.csv", text.toString());
    MillraceException problem = assertThrows(MillraceException.class, () -> scan().read(file));
    assertEquals(ErrorCode.MALFORMED_VALUE, problem.code());
    for (String part : List.of("'many'", "'count'", "int64", "Line 30002", "late.csv")) {
      assertTrue(problem.getMessage().contains(part), problem.getMessage());
    }
    assertEquals(30_001, rows(scan().columns(List.of("id")).read(file)).size());
    assertEquals(30_001, rows(scan().options(Map.of("types", "count string")).read(file)).size());
  }

  @Test
  void notUtf8IsAnError() throws Exception {
    Path file = folder.resolve("latin.csv");
    Files.write(file, "a,b\n1,\u00e4\n".getBytes(StandardCharsets.ISO_8859_1));
    MillraceException problem = assertThrows(MillraceException.class, () -> scan().read(file));
    assertEquals(ErrorCode.MALFORMED_VALUE, problem.code());
  }

  /** Fields with line ends, quotes and delimiters, read in parts that begin anywhere. */
  @ParameterizedTest
  @ValueSource(ints = {16, 31, 64, 500, 4096})
  void partsGiveEachRowOnce(int leastSplitBytes) throws Exception {
    Random random = new Random(leastSplitBytes);
    String[] texts = {"plain", "a,b", "two\nlines", "say \"so\"", "\r\n", "", "\"", "5\" pipe"};
    StringBuilder text = new StringBuilder("id,text\n");
    List<List<Object>> expected = new ArrayList<>();
    for (long row = 0; row < 400; row++) {
      String value = texts[random.nextInt(texts.length)];
      boolean bare = value.equals("5\" pipe") || value.equals("plain") && random.nextBoolean();
      text.append(row)
          .append(',')
          .append(bare ? value : '"' + value.replace("\"", "\"\"") + '"')
          .append(random.nextBoolean() ? "\n" : "\r\n");
      expected.add(Arrays.asList(row, value));
    }
    Path file = file("parts.csv", text.toString());
    for (int parallelism : new int[] {1, 3, 40}) {
      assertEquals(
          expected,
          rows(scan(new CsvConnector(leastSplitBytes), 7).parallelism(parallelism).read(file)));
    }
  }

  @Test
  void aDamagedCompressedFileIsAnError() throws Exception {
    Path file = folder.resolve("cut.csv.gz");
    byte[] bytes;
    try (var buffer = new java.io.ByteArrayOutputStream();
        var zipped = new GZIPOutputStream(buffer)) {
      zipped.write("a,b\n".getBytes(StandardCharsets.UTF_8));
      for (int row = 0; row < 10_000; row++) {
        zipped.write((row + "," + row * 7919 % 1000 + "\n").getBytes(StandardCharsets.UTF_8));
      }
      zipped.finish();
      bytes = buffer.toByteArray();
    }
    Files.write(file, Arrays.copyOf(bytes, bytes.length / 2));
    MillraceException problem = assertThrows(MillraceException.class, () -> scan().read(file));
    assertEquals(ErrorCode.INVALID_FILE, problem.code());
    assertTrue(problem.getMessage().contains("cut.csv.gz"), problem.getMessage());
  }

  @Test
  void aLimitStopsEarly() throws Exception {
    StringBuilder text = new StringBuilder("a\n");
    for (int row = 0; row < 5000; row++) {
      text.append(row).append('\n');
    }
    int given =
        rows(scan(new CsvConnector(), 100).limit(150).read(file("l.csv", text + ""))).size();
    assertEquals(200, given);
  }

  @Test
  void countsWithoutColumns() throws Exception {
    List<Batch> batches = scan().columns(List.of()).read(FIXTURES.resolve("quotes.csv"));
    assertEquals(6, batches.stream().mapToInt(Batch::rowCount).sum());
    batches.forEach(Batch::close);
  }

  @Test
  void oneColumnMayHaveNullsAsEmptyLines() throws Exception {
    List<List<Object>> read = rows(scan().read(file("one.csv", "a\n1\n\n3\n")));
    assertEquals("[[1], [null], [3]]", read.toString());
    assertEquals(
        Field.nullable("a", DataType.INT64).type(), types(folder.resolve("one.csv")).getFirst());
  }

  @Test
  void linesToSkipCommentsAndSeveralNulls() throws Exception {
    Path file =
        file(
            "s.csv",
            "\uFEFFjunk \" line\n# comment \"x\na|b\n1|NA\n# mid \"comment\n2|\"x\n#y\"\n-|z");
    Map<String, String> options =
        Map.of("skip", "1", "comment", "#", "delim", "|", "null_values", "NA,-");
    assertEquals(
        List.of(Arrays.asList(1L, null), List.of(2L, "x\n#y"), Arrays.asList(null, "z")),
        rows(scan().options(options).read(file)));
  }

  @Test
  void commentsDoNotMoveTheStartsOfParts() throws Exception {
    StringBuilder text = new StringBuilder("id,name\n");
    List<List<Object>> expected = new ArrayList<>();
    for (long row = 0; row < 200; row++) {
      text.append(row % 7 == 0 ? "#, \"\n" : "").append(row).append(",\"a\n").append(row);
      text.append("\"\n");
      expected.add(List.of(row, "a\n" + row));
    }
    Path file = file("c.csv", text.toString());
    assertEquals(
        expected,
        rows(
            scan(new CsvConnector(100), 1024)
                .options(Map.of("comment", "#"))
                .parallelism(8)
                .read(file)));
  }

  @Test
  void filesOfOtherColumnsAreOneTableByName() throws Exception {
    file("1.csv", "a,b\n1,2\n");
    file("2.csv", "b,c\n3,x\n");
    file("3.csv", "");
    file("4.csv", "a,b\n");
    assertEquals(
        List.of(Arrays.asList(1L, 2L, null), Arrays.asList(null, 3L, "x")),
        rows(scan().options(Map.of("union_by_name", "true")).read(folder)));
    MillraceException refused = assertThrows(MillraceException.class, () -> scan().read(folder));
    assertEquals(ErrorCode.SCHEMA_MISMATCH, refused.code());
  }

  @Test
  void namesAndTypesMayBeGiven() throws Exception {
    Path file = file("n.csv", "a,b\n1,2\n");
    try (Table table = scan().options(Map.of("names", "x,y", "all_varchar", "true")).open(file)) {
      assertEquals(List.of("x", "y"), table.schema().names());
      assertEquals(List.of(DataType.STRING, DataType.STRING), table.schema().types());
    }
  }
}
