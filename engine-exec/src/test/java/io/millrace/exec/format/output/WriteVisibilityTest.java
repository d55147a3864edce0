package io.millrace.exec.format.output;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.core.batch.Batch;
import io.millrace.core.config.Configuration;
import io.millrace.core.error.MillraceException;
import io.millrace.core.spi.ConnectorContext;
import io.millrace.core.spi.WriteMode;
import io.millrace.exec.format.TableScan;
import io.millrace.exec.format.csv.CsvConnector;
import io.millrace.exec.store.SchemeStores;
import io.millrace.testkit.BatchRows;
import io.millrace.testkit.RootAllocatorFixture;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What readers see of a folder whose writer dies: all rows of a write, or none. */
class WriteVisibilityTest {
  private static final long WRITE_ROWS = (long) KilledWriter.TASKS * KilledWriter.ROWS_A_TASK;

  @RegisterExtension final RootAllocatorFixture root = new RootAllocatorFixture();

  @TempDir Path folder;

  private ConnectorContext context() {
    return new ConnectorContext(
        root.allocator(), ForkJoinPool.commonPool(), new SchemeStores(), Configuration.DEFAULTS);
  }

  /** How many rows of each write are seen. */
  private Map<Long, Long> seen(Path out) throws Exception {
    Map<Long, Long> counts = new TreeMap<>();
    for (Batch batch :
        new TableScan(new CsvConnector(), context()).columns(List.of("write")).read(out)) {
      BatchRows.of(batch).forEach(row -> counts.merge((Long) row.getFirst(), 1L, Long::sum));
      batch.close();
    }
    return counts;
  }

  private void write(CrashingStores stores, Path out, WriteMode mode, long number, String by) {
    Map<String, String> options = by.isEmpty() ? Map.of() : Map.of("partition_by", by);
    KilledWriter.write(root.allocator(), stores, out.toString(), mode, number, options);
  }

  @ParameterizedTest
  @CsvSource({
    "APPEND,true,''",
    "OVERWRITE,true,''",
    "APPEND,true,id",
    "OVERWRITE,true,id",
    "APPEND,false,''",
    "OVERWRITE,false,id"
  })
  void aWriterThatDiesAtAnyChangeShowsAllOrNothing(WriteMode mode, boolean movesFolders, String by)
      throws Exception {
    boolean completed = false;
    for (int changes = 0; !completed; changes++) {
      Path out = folder.resolve("out-" + changes);
      write(new CrashingStores(Integer.MAX_VALUE, movesFolders, () -> {}), out, mode, 1, by);
      CrashingStores dying = new CrashingStores(changes, movesFolders, () -> {});
      completed = true;
      try {
        write(dying, out, mode, 2, by);
      } catch (MillraceException crash) {
        completed = false;
      }
      // The removal of what is left over may fail without failing the write.
      Map<Long, Long> old = Map.of(1L, WRITE_ROWS);
      Map<Long, Long> fresh =
          mode == WriteMode.APPEND
              ? Map.of(1L, WRITE_ROWS, 2L, WRITE_ROWS)
              : Map.of(2L, WRITE_ROWS);
      Map<Long, Long> seen = seen(out);
      assertTrue(
          seen.equals(fresh) || !completed && seen.equals(old), "after " + changes + ": " + seen);
      // The next write is not disturbed by what the dead one left.
      write(new CrashingStores(Integer.MAX_VALUE, movesFolders, () -> {}), out, mode, 3, by);
      Map<Long, Long> next = new TreeMap<>(mode == WriteMode.APPEND ? seen : Map.of());
      next.put(3L, WRITE_ROWS);
      assertEquals(next, seen(out), "the write after " + changes);
      completed &= !dying.hasCrashed();
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"APPEND", "OVERWRITE"})
  void aKilledProcessLeavesWholeWrites(WriteMode mode) throws Exception {
    Path out = folder.resolve("out");
    write(new CrashingStores(Integer.MAX_VALUE, true, () -> {}), out, mode, 0, "");
    Random random = new Random(7);
    for (int kill = 0; kill < 2; kill++) {
      killAfter(20 + random.nextInt(60), out, mode, 1000L * (kill + 1));
      Map<Long, Long> seen = seen(out);
      seen.forEach((number, rows) -> assertEquals(WRITE_ROWS, rows, "write " + number));
      assertTrue(
          mode == WriteMode.APPEND ? seen.containsKey(0L) : seen.size() == 1, seen.toString());
    }
  }

  private static void killAfter(int changes, Path out, WriteMode mode, long firstNumber)
      throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "--add-opens=java.base/java.nio=ALL-UNNAMED",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                System.getProperty("java.class.path"),
                KilledWriter.class.getName(),
                out.toString(),
                mode.name(),
                String.valueOf(firstNumber))
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try (InputStream changesMade = process.getInputStream()) {
      for (int seen = 0; seen < changes; seen++) {
        assertTrue(changesMade.read() >= 0, "the writer ended by itself");
      }
    } finally {
      process.destroyForcibly().waitFor();
    }
  }
}
