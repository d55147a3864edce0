package io.millrace.exec.format.parquet;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.core.batch.Batch;
import io.millrace.core.config.Configuration;
import io.millrace.core.config.Settings;
import io.millrace.core.spi.ConnectorContext;
import io.millrace.exec.format.TableScan;
import io.millrace.exec.store.SchemeStores;
import io.millrace.testkit.FixtureRows;
import io.millrace.testkit.RootAllocatorFixture;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Files written by pyarrow and DuckDB give the rows that they were written from. */
class ParquetFixturesTest {
  static final Path FIXTURES = Path.of("src/test/resources/fixtures");

  @RegisterExtension final RootAllocatorFixture root = new RootAllocatorFixture();

  static Stream<Arguments> fixtures() throws Exception {
    List<Path> files;
    try (Stream<Path> all = Files.list(FIXTURES)) {
      files =
          all.filter(file -> file.toString().endsWith(".parquet"))
              .filter(file -> !file.getFileName().toString().startsWith("bad-"))
              .filter(file -> !file.getFileName().toString().equals("duckdb-row-groups.parquet"))
              .sorted()
              .toList();
    }
    return files.stream()
        .flatMap(
            file ->
                Stream.of(1, 7, 1024, 16_384)
                    .map(rows -> Arguments.of(file.getFileName().toString(), rows)));
  }

  private TableScan scan(int batchRows) {
    return new TableScan(
        new ParquetConnector(),
        new ConnectorContext(
            root.allocator(),
            ForkJoinPool.commonPool(),
            new SchemeStores(),
            Configuration.DEFAULTS.with(Settings.BATCH_ROWS, batchRows)));
  }

  @ParameterizedTest
  @MethodSource("fixtures")
  void givesTheRows(String name, int batchRows) throws Exception {
    Path file = FIXTURES.resolve(name);
    List<Batch> batches = scan(batchRows).read(file);
    try {
      assertEquals(List.of(), FixtureRows.ofFile(file).differences(batches));
    } finally {
      batches.forEach(Batch::close);
    }
  }

  @ParameterizedTest
  @MethodSource("fixtures")
  void countsWithoutColumns(String name, int batchRows) throws Exception {
    Path file = FIXTURES.resolve(name);
    List<Batch> batches = scan(batchRows).columns(List.of()).read(file);
    assertEquals(
        FixtureRows.ofFile(file).rowCount(), batches.stream().mapToInt(Batch::rowCount).sum());
    batches.forEach(Batch::close);
  }

  @Test
  void readsManyRowGroups() throws Exception {
    List<Batch> batches =
        scan(1000)
            .columns(List.of("id", "name"))
            .read(FIXTURES.resolve("duckdb-row-groups.parquet"));
    long sum = 0;
    int count = 0;
    for (Batch batch : batches) {
      for (int row = 0; row < batch.rowCount(); row++) {
        sum += ((Number) batch.valueAt(0, row)).longValue();
        count += batch.valueAt(1, row) == null ? 0 : 1;
      }
    }
    batches.forEach(Batch::close);
    assertEquals(5999L * 6000 / 2, sum);
    assertEquals(5000, count);
  }
}
