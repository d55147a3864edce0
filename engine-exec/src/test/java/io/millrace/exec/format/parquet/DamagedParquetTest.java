package io.millrace.exec.format.parquet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.core.batch.Batch;
import io.millrace.core.config.Configuration;
import io.millrace.core.error.ErrorCategory;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.spi.ConnectorContext;
import io.millrace.exec.format.TableScan;
import io.millrace.exec.store.SchemeStores;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.ForkJoinPool;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Damaged files end in an error with a code: no crash, no hang, no allocation by what they claim.
 */
class DamagedParquetTest {
  private static final int FLIPPED_FILES = 150;

  /** The fixtures take a few KiB. */
  private static final long LIMIT_BYTES = 64L << 20;

  @TempDir Path folder;

  private static void read(Path file) throws Exception {
    try (BufferAllocator allocator = new RootAllocator(LIMIT_BYTES)) {
      ConnectorContext context =
          new ConnectorContext(
              allocator, ForkJoinPool.commonPool(), new SchemeStores(), Configuration.DEFAULTS);
      new TableScan(new ParquetConnector(), context).read(file).forEach(Batch::close);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "bad-text.parquet",
        "bad-nothing.parquet",
        "bad-truncated.parquet",
        "bad-footer.parquet"
      })
  void noParquetFile(String name) {
    MillraceException problem =
        assertThrows(
            MillraceException.class, () -> read(ParquetFixturesTest.FIXTURES.resolve(name)));
    assertEquals(ErrorCode.INVALID_FILE, problem.code());
    assertTrue(problem.getMessage().contains(name), problem.getMessage());
  }

  @Test
  void damagedPageNamesFileAndColumn() throws Exception {
    byte[] bytes = Files.readAllBytes(ParquetFixturesTest.FIXTURES.resolve("types-snappy.parquet"));
    for (int at = 4; at < 60; at++) {
      bytes[at] = (byte) 0xFF;
    }
    Path file = Files.write(folder.resolve("broken.parquet"), bytes);
    MillraceException problem = assertThrows(MillraceException.class, () -> read(file));
    assertEquals(ErrorCode.INVALID_FILE, problem.code());
    assertTrue(problem.getMessage().contains("'id'"), problem.getMessage());
    assertTrue(problem.getMessage().contains("broken.parquet"), problem.getMessage());
  }

  @ParameterizedTest
  @CsvSource({
    "types.parquet, 1",
    "types-snappy.parquet, 2",
    "types-zstd.parquet, 3",
    "types-gzip.parquet, 4",
    "types-delta.parquet, 5",
    "types-page-v2.parquet, 6",
    "types-small-pages.parquet, 7",
    "nested.parquet, 8",
    "nested-page-v2.parquet, 9",
    "decimals.parquet, 10",
    "duckdb.parquet, 11",
    "dictionary.parquet, 12"
  })
  void flippedBytes(String name, long seed) throws Exception {
    byte[] whole = Files.readAllBytes(ParquetFixturesTest.FIXTURES.resolve(name));
    Random random = new Random(seed);
    Path file = folder.resolve("flipped.parquet");
    for (int round = 0; round < FLIPPED_FILES; round++) {
      byte[] bytes = whole.clone();
      int flips = 1 + random.nextInt(3);
      for (int flip = 0; flip < flips; flip++) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
      }
      Files.write(file, bytes);
      try {
        read(file);
      } catch (MillraceException problem) {
        boolean expected =
            problem.code().category() == ErrorCategory.USER
                && !problem.getMessage().contains("null pointer");
        if (!expected) {
          throw new AssertionError("round " + round + ": " + problem.getMessage(), problem);
        }
      } catch (Throwable problem) {
        throw new AssertionError("round " + round + ": " + problem, problem);
      }
    }
  }

  @Test
  void everyTruncationIsNoticed() throws Exception {
    byte[] whole = Files.readAllBytes(ParquetFixturesTest.FIXTURES.resolve("empty.parquet"));
    Path file = folder.resolve("short.parquet");
    for (int length = 0; length < whole.length; length += 7) {
      Files.write(file, java.util.Arrays.copyOf(whole, length));
      MillraceException problem = assertThrows(MillraceException.class, () -> read(file));
      assertEquals(ErrorCode.INVALID_FILE, problem.code());
    }
  }
}
