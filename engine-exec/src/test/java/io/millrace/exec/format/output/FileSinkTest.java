package io.millrace.exec.format.output;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.core.batch.Batch;
import io.millrace.core.config.Configuration;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.spi.BatchWriter;
import io.millrace.core.spi.Connector;
import io.millrace.core.spi.ConnectorContext;
import io.millrace.core.spi.SinkSpecification;
import io.millrace.core.spi.TableSink;
import io.millrace.core.spi.WriteMode;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import io.millrace.exec.format.TableScan;
import io.millrace.exec.format.csv.CsvConnector;
import io.millrace.exec.format.file.FileListing;
import io.millrace.exec.format.json.JsonConnector;
import io.millrace.exec.format.parquet.ParquetConnector;
import io.millrace.exec.store.SchemeStores;
import io.millrace.testkit.BatchForm;
import io.millrace.testkit.BatchGenerators;
import io.millrace.testkit.BatchRows;
import io.millrace.testkit.RootAllocatorFixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ForkJoinPool;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FileSinkTest {
  private static final Schema SCHEMA =
      Schema.of(
          Field.required("id", DataType.INT64),
          Field.nullable("text", DataType.STRING),
          Field.nullable("score", DataType.FLOAT64));

  @RegisterExtension final RootAllocatorFixture root = new RootAllocatorFixture();

  @TempDir Path folder;

  private ConnectorContext context() {
    return new ConnectorContext(
        root.allocator(), ForkJoinPool.commonPool(), new SchemeStores(), Configuration.DEFAULTS);
  }

  private static Connector connector(String suffix) {
    return switch (suffix) {
      case "parquet" -> new ParquetConnector();
      case "csv" -> new CsvConnector();
      default -> new JsonConnector();
    };
  }

  private static List<List<Object>> rows(int from, int count) {
    List<List<Object>> rows = new ArrayList<>();
    for (long row = from; row < from + count; row++) {
      String text = row % 4 == 3 ? null : row % 4 == 2 ? "" : "a \"b\",\n" + row;
      rows.add(Arrays.asList(row, text, row % 5 == 0 ? null : row / 4.0));
    }
    return rows;
  }

  private Batch batch(List<List<Object>> rows) {
    return new BatchGenerators(1, root.allocator()).of(SCHEMA, rows, BatchForm.SELECTION);
  }

  private TableSink sink(Connector connector, String uri, WriteMode mode) {
    return connector.openSink(
        new SinkSpecification(
            connector.name(), uri, mode, SCHEMA, Map.of(), UUID.randomUUID().toString()),
        context());
  }

  private void write(Connector connector, String uri, WriteMode mode, int from, int... counts) {
    try (TableSink sink = sink(connector, uri, mode)) {
      sink.begin();
      List<byte[]> fragments = new ArrayList<>();
      int next = from;
      for (int count : counts) {
        try (BatchWriter writer = sink.openWriter("task-" + fragments.size())) {
          writer.write(batch(rows(next, count)));
          fragments.add(writer.finish());
        }
        next += count;
      }
      sink.commit(fragments);
    }
  }

  private List<List<Object>> read(Connector connector, Path path) throws Exception {
    List<List<Object>> rows = new ArrayList<>();
    for (Batch batch : new TableScan(connector, context()).read(path)) {
      rows.addAll(BatchRows.of(batch));
      batch.close();
    }
    return rows;
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> paths = Files.walk(folder)) {
      return paths.filter(Files::isRegularFile).sorted().toList();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"parquet", "csv", "jsonl"})
  void oneFileFromSeveralTasks(String suffix) throws Exception {
    Connector connector = connector(suffix);
    Path file = folder.resolve("deep/out." + suffix);
    write(connector, file.toString(), WriteMode.CREATE, 0, 10, 1, 25);
    assertEquals(List.of(file), files());
    assertEquals(rows(0, 36), read(connector, file));
  }

  @ParameterizedTest
  @ValueSource(strings = {"parquet", "csv", "jsonl"})
  void aFolderOfParts(String suffix) throws Exception {
    Connector connector = connector(suffix);
    Path out = folder.resolve("out");
    write(connector, out + "/", WriteMode.CREATE, 0, 10, 20);
    assertEquals(2, files().size());
    write(connector, out.toString(), WriteMode.APPEND, 30, 5);
    assertEquals(3, files().size());
    assertEquals(35, read(connector, out).size());
    write(connector, out.toString(), WriteMode.OVERWRITE, 50, 3);
    assertEquals(1, files().size());
    assertEquals(rows(50, 3), read(connector, out));
  }

  @Test
  void withoutRowsThereIsAFileWithColumns() throws Exception {
    Path parquet = folder.resolve("none.parquet");
    write(new ParquetConnector(), parquet.toString(), WriteMode.CREATE, 0);
    assertEquals(List.of(), read(new ParquetConnector(), parquet));
    Path csv = folder.resolve("none.csv");
    write(new CsvConnector(), csv.toString(), WriteMode.CREATE, 0);
    assertEquals("id,text,score\n", Files.readString(csv));
  }

  @Test
  void modes() throws Exception {
    Connector connector = new CsvConnector();
    Path file = folder.resolve("x.csv");
    write(connector, file.toString(), WriteMode.CREATE, 0, 2);
    for (WriteMode mode : List.of(WriteMode.CREATE, WriteMode.APPEND)) {
      MillraceException problem =
          assertThrows(
              MillraceException.class, () -> write(connector, file.toString(), mode, 0, 2));
      assertEquals(
          mode == WriteMode.CREATE ? ErrorCode.TABLE_EXISTS : ErrorCode.UNSUPPORTED_FORMAT,
          problem.code());
    }
    write(connector, file.toString(), WriteMode.OVERWRITE, 5, 1);
    assertEquals(rows(5, 1), read(connector, file));
  }

  @Test
  void nothingIsSeenBeforeTheCommitAndNothingIsLeftAfterAnAbort() throws Exception {
    Connector connector = new ParquetConnector();
    Path out = folder.resolve("data/x.parquet");
    try (TableSink sink = sink(connector, out.toString(), WriteMode.CREATE)) {
      sink.begin();
      BatchWriter reported = sink.openWriter("a/1");
      reported.write(batch(rows(0, 5)));
      reported.finish();
      reported.close();
      BatchWriter killed = sink.openWriter("b:2");
      killed.write(batch(rows(5, 5)));
      assertFalse(Files.exists(out));
      assertTrue(files().stream().allMatch(file -> file.toString().contains("_millrace-")));
      assertThrows(
          MillraceException.class,
          () -> new FileListing(new SchemeStores()).list(folder.toString()));
      killed.close();
      assertEquals(1, files().size());
      sink.abort();
    }
    assertEquals(List.of(), files());
  }

  @Test
  void partsOfFailedAttemptsAreLeftOut() throws Exception {
    Connector connector = new JsonConnector();
    Path out = folder.resolve("rows");
    try (TableSink sink = sink(connector, out.toString(), WriteMode.CREATE)) {
      sink.begin();
      try (BatchWriter lost = sink.openWriter("attempt-1")) {
        lost.write(batch(rows(0, 5)));
        lost.finish();
      }
      List<byte[]> fragments = new ArrayList<>();
      try (BatchWriter writer = sink.openWriter("attempt-2")) {
        writer.write(batch(rows(0, 5)));
        fragments.add(writer.finish());
      }
      sink.commit(fragments);
    }
    assertEquals(rows(0, 5), read(connector, out));
    assertEquals(1, files().size());
  }

  @Test
  void csvTellsNullFromEmptyText() throws Exception {
    Path file = folder.resolve("n.csv");
    write(new CsvConnector(), file.toString(), WriteMode.CREATE, 2, 2);
    assertEquals("id,text,score\n2,\"\",0.5\n3,,0.75\n", Files.readString(file));
  }

  @Test
  void unknownCompressionAndTypesAreRefusedAtOnce() {
    Connector connector = new ParquetConnector();
    Schema empty = Schema.of(Field.nullable("s", DataType.struct()));
    SinkSpecification types =
        new SinkSpecification("parquet", "x.parquet", WriteMode.CREATE, empty, Map.of(), "w");
    assertEquals(
        ErrorCode.UNSUPPORTED_TYPE,
        assertThrows(MillraceException.class, () -> connector.openSink(types, context())).code());
    SinkSpecification option =
        new SinkSpecification(
            "parquet", "x.parquet", WriteMode.CREATE, SCHEMA, Map.of("compression", "lzo"), "w");
    assertEquals(
        ErrorCode.INVALID_OPTION_VALUE,
        assertThrows(MillraceException.class, () -> connector.openSink(option, context())).code());
  }
}
