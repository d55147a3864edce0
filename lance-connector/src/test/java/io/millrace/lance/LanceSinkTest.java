package io.millrace.lance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.core.batch.Batch;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.spi.BatchWriter;
import io.millrace.core.spi.SinkSpecification;
import io.millrace.core.spi.Table;
import io.millrace.core.spi.TableSink;
import io.millrace.core.spi.VersionedTable;
import io.millrace.core.spi.WriteMode;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LanceSinkTest {
  private static final Schema TWO =
      Schema.of(Field.required("id", DataType.INT64), Field.nullable("name", DataType.STRING));

  private final LanceHarness lance = new LanceHarness();
  private final String uri = lance.at("t");

  @AfterEach
  void closeFindsLeaks() {
    lance.close();
  }

  private static List<List<Object>> rows(long first, int count) {
    return LongStream.range(first, first + count)
        .mapToObj(id -> Arrays.<Object>asList(id, id % 3 == 2 ? null : "name " + id))
        .toList();
  }

  private List<Object> ids() {
    return lance.rows(uri, "id").stream().map(List::getFirst).sorted().toList();
  }

  private static List<Object> range(long first, long end) {
    return LongStream.range(first, end).<Object>mapToObj(id -> id).toList();
  }

  @Test
  void manyTasksAndOneCommitMakeOneVersion() throws IOException {
    lance.write(
        lance.sink(uri, WriteMode.CREATE, TWO), rows(0, 10), rows(10, 5), List.of(), rows(15, 20));
    assertEquals(range(0, 35), ids());
    try (Table table = lance.open(uri)) {
      assertEquals(1, ((VersionedTable) table).latestVersion());
      assertEquals(TWO, table.schema());
    }
    assertEquals(
        List.of(),
        LanceHarness.files(uri).stream().filter(name -> name.contains("_millrace")).toList());
  }

  @Test
  void createRefusesATableAndAFolderOfSomethingElse() throws IOException {
    lance.write(lance.sink(uri, WriteMode.CREATE, TWO), rows(0, 3));
    assertEquals(ErrorCode.TABLE_EXISTS, beginFails(lance.sink(uri, WriteMode.CREATE, TWO)));
    Path strange = Files.createDirectory(lance.folder.resolve("strange.lance"));
    Files.writeString(strange.resolve("precious.txt"), "x");
    for (WriteMode mode : WriteMode.values()) {
      assertEquals(ErrorCode.INVALID_FILE, beginFails(lance.sink(strange.toString(), mode, TWO)));
    }
    assertEquals(List.of("precious.txt"), LanceHarness.files(strange.toString()));
  }

  private ErrorCode beginFails(SinkSpecification specification) {
    try (TableSink sink = lance.connector.openSink(specification, lance.context)) {
      return LanceHarness.codeOf(sink::begin);
    }
  }

  @Test
  void overwriteReplacesRowsAndColumns() {
    lance.write(lance.sink(uri, WriteMode.OVERWRITE, TWO), rows(0, 10));
    Schema other = Schema.of(Field.nullable("x", DataType.FLOAT64));
    lance.write(lance.sink(uri, WriteMode.OVERWRITE, other), List.of(List.of(1.5)));
    assertEquals(List.of(List.of(1.5)), lance.rows(uri, "x"));
    try (Table old = lance.open(uri, "version", "1")) {
      assertEquals(TWO, old.schema());
    }
  }

  @Test
  void appendMatchesColumnsByNameAndFillsTheMissingWithNulls() {
    lance.write(lance.sink(uri, WriteMode.APPEND, TWO), rows(0, 2));
    Schema turned =
        Schema.of(Field.nullable("NAME", DataType.STRING), Field.nullable("id", DataType.INT64));
    lance.write(lance.sink(uri, WriteMode.APPEND, turned), List.of(List.of("new", 2L)));
    Schema fewer = Schema.of(Field.required("id", DataType.INT64));
    lance.write(lance.sink(uri, WriteMode.APPEND, fewer), List.of(List.of(3L), List.of(4L)));
    assertEquals(
        List.of(
            List.of(0L, "name 0"),
            List.of(1L, "name 1"),
            List.of(2L, "new"),
            Arrays.asList(3L, null),
            Arrays.asList(4L, null)),
        lance.rows(uri, "id", "name"));
  }

  @Test
  void appendRefusesWhatTheTableCannotHold() {
    lance.write(lance.sink(uri, WriteMode.CREATE, TWO), rows(0, 2));
    Schema wrongType =
        Schema.of(Field.required("id", DataType.INT32), Field.nullable("name", DataType.STRING));
    Schema unknown = TWO.concat(Schema.of(Field.nullable("names", DataType.STRING)));
    Schema without = Schema.of(Field.nullable("name", DataType.STRING));
    for (Schema schema : List.of(wrongType, unknown, without)) {
      assertEquals(
          ErrorCode.SCHEMA_MISMATCH, beginFails(lance.sink(uri, WriteMode.APPEND, schema)));
    }
    Schema nullable =
        Schema.of(Field.nullable("id", DataType.INT64), Field.nullable("name", DataType.STRING));
    MillraceException failure =
        assertThrows(
            MillraceException.class,
            () ->
                lance.write(
                    lance.sink(uri, WriteMode.APPEND, nullable),
                    List.of(Arrays.asList(null, "nobody"))));
    assertEquals(ErrorCode.SCHEMA_MISMATCH, failure.code());
    assertEquals(range(0, 2), ids());
  }

  @Test
  void appendsAtTheSameTimeAreBothKept() {
    lance.write(lance.sink(uri, WriteMode.CREATE, TWO), rows(0, 2));
    SinkSpecification first = lance.sink(uri, WriteMode.APPEND, TWO);
    SinkSpecification second = lance.sink(uri, WriteMode.APPEND, TWO);
    try (TableSink one = lance.connector.openSink(first, lance.context);
        TableSink two = lance.connector.openSink(second, lance.context)) {
      one.begin();
      two.begin();
      byte[] a = lance.runTask(first, "a", rows(2, 3));
      byte[] b = lance.runTask(second, "b", rows(5, 3));
      two.commit(List.of(b));
      one.commit(List.of(a));
    }
    assertEquals(range(0, 8), ids());
  }

  @Test
  void twoCreatesAtTheSameTimeLeaveOneTable() {
    SinkSpecification first = lance.sink(uri, WriteMode.CREATE, TWO);
    SinkSpecification second = lance.sink(uri, WriteMode.CREATE, TWO);
    try (TableSink one = lance.connector.openSink(first, lance.context);
        TableSink two = lance.connector.openSink(second, lance.context)) {
      one.begin();
      two.begin();
      byte[] a = lance.runTask(first, "a", rows(0, 3));
      byte[] b = lance.runTask(second, "b", rows(100, 3));
      one.commit(List.of(a));
      assertEquals(ErrorCode.TABLE_EXISTS, LanceHarness.codeOf(() -> two.commit(List.of(b))));
      two.abort();
    }
    assertEquals(range(0, 3), ids());
  }

  @Test
  void aFailedWriteLeavesNothing() throws IOException {
    SinkSpecification create = lance.sink(uri, WriteMode.CREATE, TWO);
    try (TableSink driver = lance.connector.openSink(create, lance.context)) {
      driver.begin();
      lance.runTask(create, "finished, its answer was lost", rows(0, 10));
      try (TableSink worker = lance.connector.openSink(create, lance.context);
          BatchWriter writer = worker.openWriter("fails")) {
        writer.write(lance.batch(TWO, rows(10, 10)));
      }
      driver.abort();
    }
    assertTrue(Files.notExists(Path.of(uri)));

    lance.write(lance.sink(uri, WriteMode.CREATE, TWO), rows(0, 5));
    List<String> before = LanceHarness.files(uri);
    SinkSpecification append = lance.sink(uri, WriteMode.APPEND, TWO, "max_rows_per_file", "4");
    try (TableSink driver = lance.connector.openSink(append, lance.context)) {
      driver.begin();
      lance.runTask(append, "one", rows(5, 10));
      try (TableSink worker = lance.connector.openSink(append, lance.context);
          BatchWriter writer = worker.openWriter("two")) {
        for (int part = 0; part < 3; part++) {
          writer.write(lance.batch(TWO, rows(20 + 3 * part, 3)));
        }
      }
      driver.abort();
    }
    assertEquals(before, LanceHarness.files(uri));
    assertEquals(range(0, 5), ids());
  }

  @Test
  void aTaskTriedTwiceIsCommittedOnceAndItsOtherFilesGo() throws IOException {
    SinkSpecification create = lance.sink(uri, WriteMode.CREATE, TWO);
    try (TableSink driver = lance.connector.openSink(create, lance.context)) {
      driver.begin();
      lance.runTask(create, "task-0-attempt-0", rows(0, 10));
      byte[] second = lance.runTask(create, "task-0-attempt-1", rows(0, 10));
      driver.commit(List.of(second));
      driver.commit(List.of(second));
    }
    assertEquals(range(0, 10), ids());
    assertEquals(1, dataFiles());
    try (TableSink retried = lance.connector.openSink(create, lance.context)) {
      assertEquals(ErrorCode.TABLE_EXISTS, LanceHarness.codeOf(retried::begin));
    }
  }

  private long dataFiles() throws IOException {
    return LanceHarness.files(uri).stream().filter(name -> name.startsWith("data/")).count();
  }

  @Test
  void anAbortAfterACommitWhoseAnswerWasLostRemovesNoRow() throws IOException {
    SinkSpecification create = lance.sink(uri, WriteMode.CREATE, TWO);
    try (TableSink driver = lance.connector.openSink(create, lance.context)) {
      driver.begin();
      byte[] rows = lance.runTask(create, "a", rows(0, 10));
      driver.commit(List.of(rows));
      driver.abort();
    }
    assertEquals(range(0, 10), ids());
    SinkSpecification append = lance.sink(uri, WriteMode.APPEND, TWO);
    try (TableSink driver = lance.connector.openSink(append, lance.context)) {
      driver.begin();
      driver.commit(List.of(lance.runTask(append, "a", rows(10, 10))));
      driver.abort();
    }
    assertEquals(range(0, 20), ids());
  }

  @Test
  void fragmentsEndAtTheirLimits() throws IOException {
    SinkSpecification small = lance.sink(uri, WriteMode.CREATE, TWO, "max_rows_per_file", "8");
    try (TableSink driver = lance.connector.openSink(small, lance.context)) {
      driver.begin();
      byte[] fragments;
      try (BatchWriter writer = driver.openWriter("a")) {
        for (int part = 0; part < 10; part++) {
          writer.write(lance.batch(TWO, rows(4L * part, 4)));
        }
        fragments = writer.finish();
      }
      driver.commit(List.of(fragments));
    }
    assertEquals(5, dataFiles());
    assertEquals(range(0, 40), ids());
    for (String wrong : List.of("0", "many", "-1")) {
      assertEquals(
          ErrorCode.INVALID_OPTION_VALUE,
          beginFails(lance.sink(uri, WriteMode.APPEND, TWO, "max_rows_per_file", wrong)));
    }
  }

  @Test
  void selectionsSlicesAndEmptyBatchesAreWrittenAsTheirRows() {
    SinkSpecification create = lance.sink(uri, WriteMode.CREATE, TWO);
    try (TableSink driver = lance.connector.openSink(create, lance.context)) {
      driver.begin();
      byte[] fragments;
      try (BatchWriter writer = driver.openWriter("a");
          Batch whole = lance.batch(TWO, rows(0, 30))) {
        writer.write(whole.share().withSelection(new int[] {7, 3, 3}, 3));
        writer.write(whole.slice(13, 9));
        writer.write(Batch.empty(TWO, lance.allocator));
        fragments = writer.finish();
      }
      driver.commit(List.of(fragments));
    }
    List<List<Object>> expected = new ArrayList<>();
    for (long id : new long[] {7, 3, 3, 13, 14, 15, 16, 17, 18, 19, 20, 21}) {
      expected.add(rows(id, 1).getFirst());
    }
    assertEquals(expected, lance.rows(uri, "id", "name"));
  }

  @Test
  void aTableWithoutRowsKeepsItsColumns() {
    lance.write(lance.sink(uri, WriteMode.CREATE, TWO));
    assertEquals(List.of(), lance.rows(uri, "id", "name"));
    lance.write(lance.sink(uri, WriteMode.APPEND, TWO), rows(0, 2));
    assertEquals(range(0, 2), ids());
  }

  @ParameterizedTest
  @ValueSource(strings = {"types-2.1", "types-2.2", "stable-row-ids-2.2"})
  void tablesOfThePythonPackageAreAppendedToAndOverwritten(String name) throws IOException {
    copy(LanceHarness.fixture(name), Path.of(uri));
    List<Batch> rows;
    Schema schema;
    try (Table table = lance.open(uri)) {
      schema = table.schema();
      rows =
          lance.batches(
              table,
              LanceHarness.scanOf(
                  table, schema.names(), List.of(), java.util.OptionalLong.empty()));
    }
    writeBatches(lance.sink(uri, WriteMode.APPEND, schema), rows);
    List<Object> before =
        lance.rows(LanceHarness.fixture(name).toString(), "id", "place", "total").stream()
            .<Object>map(row -> row)
            .toList();
    List<Object> twice = new ArrayList<>(before);
    twice.addAll(before);
    assertEquals(twice, lance.rows(uri, "id", "place", "total"));
    writeBatches(lance.sink(uri, WriteMode.OVERWRITE, schema), rows);
    assertEquals(before, lance.rows(uri, "id", "place", "total"));
    rows.forEach(Batch::close);
  }

  private void writeBatches(SinkSpecification specification, List<Batch> batches) {
    try (TableSink driver = lance.connector.openSink(specification, lance.context)) {
      driver.begin();
      byte[] fragments;
      try (BatchWriter writer = driver.openWriter("a")) {
        batches.forEach(batch -> writer.write(batch.share()));
        fragments = writer.finish();
      }
      driver.commit(List.of(fragments));
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(from.relativize(file).toString()));
      }
    }
  }
}
