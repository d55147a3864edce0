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
import io.millrace.exec.format.json.JsonConnector;
import io.millrace.exec.format.parquet.ParquetConnector;
import io.millrace.exec.store.SchemeStores;
import io.millrace.testkit.BatchForm;
import io.millrace.testkit.BatchGenerators;
import io.millrace.testkit.BatchRows;
import io.millrace.testkit.RootAllocatorFixture;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
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

class PartitionedSinkTest {
  private static final Schema SCHEMA =
      Schema.of(
          Field.nullable("day", DataType.DATE),
          Field.nullable("id", DataType.INT64),
          Field.nullable("place", DataType.STRING));

  @RegisterExtension final RootAllocatorFixture root = new RootAllocatorFixture();

  @TempDir Path folder;

  private ConnectorContext context() {
    return new ConnectorContext(
        root.allocator(), ForkJoinPool.commonPool(), new SchemeStores(), Configuration.DEFAULTS);
  }

  private static Connector connector(String format) {
    return switch (format) {
      case "parquet" -> new ParquetConnector();
      case "csv" -> new CsvConnector();
      default -> new JsonConnector();
    };
  }

  private static List<List<Object>> rows(int count) {
    List<List<Object>> rows = new ArrayList<>();
    for (long row = 0; row < count; row++) {
      String place = row % 3 == 0 ? null : row % 3 == 1 ? "a/b=c é%2F" : "x y";
      LocalDate day = row % 5 == 4 ? null : LocalDate.of(2024, 2, 27).plusDays(row % 5);
      rows.add(Arrays.asList(day, row, place));
    }
    return rows;
  }

  private void write(Connector connector, Map<String, String> options, List<List<Object>> rows) {
    String id = UUID.randomUUID().toString();
    SinkSpecification specification =
        new SinkSpecification(
            connector.name(), folder + "/out", WriteMode.OVERWRITE, SCHEMA, options, id);
    try (TableSink sink = connector.openSink(specification, context())) {
      sink.begin();
      List<byte[]> fragments = new ArrayList<>();
      try (BatchWriter writer = sink.openWriter("task")) {
        for (int from = 0; from < rows.size(); from += 1000) {
          writer.write(
              new BatchGenerators(1, root.allocator())
                  .of(
                      SCHEMA,
                      rows.subList(from, Math.min(rows.size(), from + 1000)),
                      BatchForm.SELECTION));
        }
        fragments.add(writer.finish());
      }
      sink.commit(fragments);
    }
  }

  private List<List<Object>> read(Connector connector, List<String> columns) throws Exception {
    List<List<Object>> rows = new ArrayList<>();
    for (Batch batch :
        new TableScan(connector, context()).columns(columns).read(folder.resolve("out"))) {
      rows.addAll(BatchRows.of(batch));
      batch.close();
    }
    rows.sort(Comparator.comparing(row -> (Long) row.get(1)));
    return rows;
  }

  private List<Path> files() throws Exception {
    try (Stream<Path> paths = Files.walk(folder)) {
      return paths.filter(Files::isRegularFile).sorted().toList();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"parquet", "csv", "json"})
  void whatIsWrittenByFoldersIsReadBack(String format) throws Exception {
    Connector connector = connector(format);
    write(connector, Map.of("partition_by", "place, day"), rows(200));
    assertEquals(15, files().size());
    assertEquals(rows(200), read(connector, SCHEMA.names()));
    String first = folder.relativize(files().getFirst()).toString();
    assertTrue(first.startsWith("out/place=__HIVE_DEFAULT_PARTITION__/day=2024-02-27/"), first);
  }

  @Test
  void partitionColumnsAreNotInTheFiles() throws Exception {
    write(new CsvConnector(), Map.of("partition_by", "place"), rows(4));
    assertEquals("day,id\n2024-02-27,0\n2024-03-01,3\n", Files.readString(files().getFirst()));
    write(
        new CsvConnector(),
        Map.of("partition_by", "place", "write_partition_columns", "true"),
        rows(1));
    assertEquals("day,id,place\n2024-02-27,0,\n", Files.readString(files().getFirst()));
  }

  @Test
  void moreFoldersThanOpenFiles() throws Exception {
    write(new JsonConnector(), Map.of("partition_by", "id"), rows(120));
    assertEquals(120, files().size());
    assertEquals(rows(120), read(new JsonConnector(), SCHEMA.names()));
  }

  @Test
  void filesOverASizeAreFollowedByOthers() throws Exception {
    write(new CsvConnector(), Map.of("max_file_bytes", "100000"), rows(20_000));
    assertTrue(files().size() > 2, files().toString());
    for (Path file : files()) {
      assertFalse(Files.size(file) > 200_000, file.toString());
    }
    assertEquals(rows(20_000), read(new CsvConnector(), SCHEMA.names()));
  }

  @Test
  void badOptionsAreRefused() {
    for (Map<String, String> options :
        List.of(
            Map.of("partition_by", "day,id,place"),
            Map.of("partition_by", "nowhere"),
            Map.of("max_file_bytes", "some"))) {
      MillraceException refused =
          assertThrows(MillraceException.class, () -> write(new CsvConnector(), options, rows(3)));
      assertTrue(
          List.of(ErrorCode.INVALID_OPTION_VALUE, ErrorCode.UNKNOWN_COLUMN)
              .contains(refused.code()),
          refused.toString());
    }
  }
}
