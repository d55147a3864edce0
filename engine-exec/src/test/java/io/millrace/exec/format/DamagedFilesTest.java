package io.millrace.exec.format;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import com.github.luben.zstd.ZstdOutputStream;
import io.millrace.core.batch.Batch;
import io.millrace.core.config.Configuration;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.spi.Connector;
import io.millrace.core.spi.ConnectorContext;
import io.millrace.exec.format.arrow.ArrowConnector;
import io.millrace.exec.format.csv.CsvConnector;
import io.millrace.exec.format.json.JsonConnector;
import io.millrace.exec.format.parquet.ParquetConnector;
import io.millrace.exec.store.SchemeStores;
import io.millrace.testkit.RootAllocatorFixture;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ForkJoinPool;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Files that are cut off or changed: an error that names the file, or all rows; never another
 * failure, and never fewer rows without one. {@code -Dmillrace.fuzz.inputs=5000} tries more.
 */
class DamagedFilesTest {
  private static final Path FIXTURES = Path.of("src/test/resources/fixtures");
  private static final int INPUTS = Integer.getInteger("millrace.fuzz.inputs", 40);
  private static final List<ErrorCode> EXPECTED =
      List.of(
          ErrorCode.INVALID_FILE,
          ErrorCode.MALFORMED_VALUE,
          ErrorCode.UNSUPPORTED_FORMAT,
          ErrorCode.UNSUPPORTED_TYPE,
          ErrorCode.SCHEMA_MISMATCH);

  @RegisterExtension final RootAllocatorFixture root = new RootAllocatorFixture();

  @TempDir Path folder;

  private static Connector connector(String name) {
    if (name.contains(".parquet")) {
      return new ParquetConnector();
    }
    if (name.contains(".csv")) {
      return new CsvConnector();
    }
    return name.contains(".jsonl") ? new JsonConnector() : new ArrowConnector();
  }

  /** A fixture's bytes; compressed when the name says so and the fixture is not. */
  private static byte[] original(String name) throws Exception {
    Path file = FIXTURES.resolve(name);
    if (Files.exists(file)) {
      return Files.readAllBytes(file);
    }
    byte[] plain = Files.readAllBytes(FIXTURES.resolve(name.substring(0, name.lastIndexOf('.'))));
    ByteArrayOutputStream compressed = new ByteArrayOutputStream();
    try (OutputStream stream = compressing(name, compressed)) {
      stream.write(plain);
    }
    return compressed.toByteArray();
  }

  private static OutputStream compressing(String name, OutputStream target) throws IOException {
    if (name.endsWith(".zst")) {
      ZstdOutputStream zstd = new ZstdOutputStream(target);
      zstd.setChecksum(true);
      return zstd;
    }
    return new GZIPOutputStream(target);
  }

  private int rows(String name, byte[] bytes) throws Exception {
    Path file = Files.write(folder.resolve("damaged-" + name), bytes);
    TableScan scan =
        new TableScan(
            connector(name),
            new ConnectorContext(
                root.allocator(),
                ForkJoinPool.commonPool(),
                new SchemeStores(),
                Configuration.DEFAULTS));
    int rows = 0;
    for (Batch batch : scan.read(file)) {
      try (batch) {
        rows += batch.rowCount();
        for (int column = 0; column < batch.columnCount(); column++) {
          for (int row = 0; row < batch.rowCount(); row++) {
            batch.valueAt(column, row);
          }
        }
      }
    }
    return rows;
  }

  private void check(String name, byte[] bytes, int expectedRows, boolean exact, String what)
      throws Exception {
    try {
      int rows = rows(name, bytes);
      assertTrue(!exact || rows == expectedRows, what + " gives rows: " + rows);
    } catch (MillraceException problem) {
      assertTrue(EXPECTED.contains(problem.code()), what + ": " + problem);
      assertTrue(problem.getMessage().contains("damaged-" + name), what + ": " + problem);
    } catch (AssertionError problem) {
      throw problem;
    } catch (Throwable problem) {
      throw new AssertionError(what, problem);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "types.arrow",
        "types-zstd.arrow",
        "types-lz4.arrow",
        "nested.arrow",
        "dictionary.feather",
        "types-lz4.parquet",
        "types-brotli.parquet",
        "deep.parquet",
        "byte-streams.parquet",
        "quotes.csv.gz",
        "quotes.csv.zst",
        "sparse.jsonl.gz",
        "sparse.jsonl.zst"
      })
  void cutOffFilesAreErrors(String name) throws Exception {
    byte[] bytes = original(name);
    Random random = new Random(name.hashCode());
    for (int input = 0; input < INPUTS; input++) {
      int length = input < 12 ? bytes.length - 1 - input : random.nextInt(bytes.length);
      String what = name + " cut to " + length;
      try {
        rows(name, Arrays.copyOf(bytes, length));
        fail(what + " gives rows");
      } catch (MillraceException problem) {
        assertTrue(EXPECTED.contains(problem.code()), what + ": " + problem);
        assertTrue(problem.getMessage().contains("damaged-" + name), what + ": " + problem);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "types.arrow",
        "types-zstd.arrow",
        "types-lz4.arrow",
        "nested.arrow",
        "dictionary.feather",
        "types-stream.arrows",
        "types-lz4.parquet",
        "types-brotli.parquet",
        "deep.parquet",
        "byte-streams.parquet",
        "quotes.csv.gz",
        "quotes.csv.zst",
        "sparse.jsonl.gz",
        "sparse.jsonl.zst"
      })
  void changedBytesGiveAllRowsOrAnError(String name) throws Exception {
    byte[] bytes = original(name);
    int expected = rows(name, bytes);
    Random random = new Random(name.hashCode() + 1);
    for (int input = 0; input < INPUTS; input++) {
      byte[] changed = bytes.clone();
      int position = random.nextInt(bytes.length);
      int other = random.nextBoolean() ? random.nextInt() : bytes[position] ^ 0x80;
      byte value = (byte) other;
      changed[position] = value;
      check(name, changed, expected, true, name + " with " + value + " at " + position);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"quotes.csv", "sparse.jsonl", "duckdb.csv", "duckdb.jsonl"})
  void changedTextIsReadOrAnError(String name) throws Exception {
    byte[] bytes = original(name);
    Random random = new Random(name.hashCode() + 2);
    for (int input = 0; input < INPUTS; input++) {
      byte[] changed = Arrays.copyOf(bytes, bytes.length - random.nextInt(3));
      int position = random.nextInt(changed.length);
      byte value = (byte) "\"\n\r,{}[]:\\\0\u00ff1".charAt(random.nextInt(13));
      changed[position] = value;
      check(name, changed, 0, false, name + " with " + value + " at " + position);
    }
  }
}
