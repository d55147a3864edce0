package io.millrace.exec.format.arrow;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.core.batch.Batch;
import io.millrace.core.config.Configuration;
import io.millrace.core.config.Settings;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.spi.BatchWriter;
import io.millrace.core.spi.ConnectorContext;
import io.millrace.core.spi.SinkSpecification;
import io.millrace.core.spi.Table;
import io.millrace.core.spi.TableSink;
import io.millrace.core.spi.WriteMode;
import io.millrace.exec.format.TableScan;
import io.millrace.exec.store.SchemeStores;
import io.millrace.testkit.FixtureRows;
import io.millrace.testkit.RootAllocatorFixture;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ArrowFixturesTest {
  private static final Path FIXTURES = Path.of("src/test/resources/fixtures");

  @RegisterExtension final RootAllocatorFixture root = new RootAllocatorFixture();

  @TempDir Path folder;

  private ConnectorContext context(int batchRows) {
    return new ConnectorContext(
        root.allocator(),
        ForkJoinPool.commonPool(),
        new SchemeStores(),
        Configuration.DEFAULTS.with(Settings.BATCH_ROWS, batchRows));
  }

  private TableScan scan(int batchRows) {
    return new TableScan(new ArrowConnector(), context(batchRows));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "types.arrow", "types-zstd.arrow", "types-lz4.arrow", "types-stream.arrows",
        "nested.arrow", "nested-stream.arrows", "times.arrow", "decimals.arrow",
        "dictionary.feather", "empty.arrow"
      })
  void givesTheRowsThatPyarrowWrote(String name) throws Exception {
    Path file = FIXTURES.resolve(name);
    for (int batchRows : new int[] {7, 1024}) {
      List<Batch> batches = scan(batchRows).read(file);
      try {
        assertEquals(List.of(), FixtureRows.ofFile(file).differences(batches));
      } finally {
        batches.forEach(Batch::close);
      }
    }
  }

  @Test
  void someColumnsInAnotherOrderAndNone() throws Exception {
    List<Batch> batches =
        scan(1024).columns(List.of("name", "id")).read(FIXTURES.resolve("types.arrow"));
    assertEquals(List.of("name", "id"), batches.getFirst().schema().names());
    assertEquals(0L, batches.getFirst().valueAt(1, 0));
    batches.forEach(Batch::close);
    List<Batch> counted = scan(1024).columns(List.of()).read(FIXTURES.resolve("types.arrow"));
    assertEquals(100, counted.stream().mapToInt(Batch::rowCount).sum());
    counted.forEach(Batch::close);
  }

  @Test
  void aFileIsSplitByItsRecordBatches() throws Exception {
    TableScan scan = scan(1024).parallelism(4);
    try (Table table = scan.open(FIXTURES.resolve("nested.arrow"))) {
      assertEquals(3, table.splits(scan.specification(table), 4).size());
    }
  }

  @ParameterizedTest
  @CsvSource({"types.arrow,none", "types.arrow,zstd", "types.arrow,lz4", "nested.arrow,lz4"})
  void whatIsWrittenIsReadBack(String name, String compression) throws Exception {
    Path file = FIXTURES.resolve(name);
    Path out = folder.resolve("out.arrow");
    ArrowConnector connector = new ArrowConnector();
    List<Batch> rows = scan(11).read(file);
    SinkSpecification specification =
        new SinkSpecification(
            "arrow",
            out.toString(),
            WriteMode.CREATE,
            rows.getFirst().schema(),
            Map.of("compression", compression),
            "w");
    try (TableSink sink = connector.openSink(specification, context(1024))) {
      sink.begin();
      List<byte[]> fragments = new ArrayList<>();
      int half = rows.size() / 2;
      for (List<Batch> part : List.of(rows.subList(0, half), rows.subList(half, rows.size()))) {
        try (BatchWriter writer = sink.openWriter("task-" + fragments.size())) {
          for (Batch batch : part) {
            writer.write(batch);
          }
          fragments.add(writer.finish());
        }
      }
      sink.commit(fragments);
    }
    List<Batch> again = scan(1024).read(out);
    try {
      assertEquals(List.of(), FixtureRows.ofFile(file).differences(again));
    } finally {
      again.forEach(Batch::close);
    }
  }

  @Test
  void framesOfTheCompressorAreReadBack() {
    Random random = new Random(3);
    for (int size : new int[] {0, 1, 100, 5 << 20}) {
      byte[] plain = new byte[size];
      for (int index = 0; index < size; index++) {
        plain[index] = (byte) (random.nextInt(8) == 0 ? random.nextInt() : index >>> 6);
      }
      byte[] target = new byte[size];
      new Lz4Frame().decompress(new Lz4Frame().compress(plain), target);
      assertArrayEquals(plain, target);
    }
  }

  @Test
  void theFirstVersionOfFeatherIsNamed() throws Exception {
    Path file =
        Files.write(
            folder.resolve("old.feather"), "FEA1....FEA1".getBytes(StandardCharsets.US_ASCII));
    MillraceException refused = assertThrows(MillraceException.class, () -> scan(10).read(file));
    assertEquals(ErrorCode.UNSUPPORTED_FORMAT, refused.code());
  }
}
