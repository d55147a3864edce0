package io.millrace.lance.jni;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.LargeVarBinaryVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.VectorUnloader;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/** A folder with Lance tables for one test, a runtime and an allocator whose close finds leaks. */
final class LanceFolder implements AutoCloseable {
  static final Schema PHOTOS =
      new Schema(
          List.of(
              Field.nullable("id", new ArrowType.Int(64, true)),
              Field.nullable("photo", ArrowType.LargeBinary.INSTANCE)));
  private static final long QUEUE_BYTES = 4 << 20;

  final Path folder;
  final RootAllocator allocator = new RootAllocator();
  final LanceRuntime runtime = new LanceRuntime(32 << 20, 32 << 20);

  LanceFolder() {
    try {
      folder = Files.createTempDirectory("millrace-lance");
    } catch (IOException failure) {
      throw new IllegalStateException(failure);
    }
  }

  static LanceLocation fixture(String name) {
    return LanceLocation.of(
        Path.of("src/test/resources/fixtures", name + ".lance").toAbsolutePath().toString());
  }

  LanceLocation at(String name) {
    return LanceLocation.of(folder.resolve(name + ".lance").toString());
  }

  LanceDataset open(LanceLocation location) {
    return runtime.open(location, OptionalLong.empty(), allocator);
  }

  /** Repeatable bytes; null for every seventh row. */
  static byte[] photo(long id, int bytes) {
    if (id % 7 == 6) {
      return null;
    }
    byte[] value = new byte[bytes];
    new Random(id).nextBytes(value);
    return value;
  }

  List<FragmentFile> writePhotos(WriteTarget target, long first, int rows, int photoBytes) {
    return write(
        target,
        rows,
        (root, row, rowOfFragment) -> {
          long id = first + rowOfFragment;
          ((BigIntVector) root.getVector("id")).setSafe(row, id);
          byte[] photo = photo(id, photoBytes);
          if (photo != null) {
            ((LargeVarBinaryVector) root.getVector("photo")).setSafe(row, photo);
          }
        });
  }

  /** Fills one row of a batch. */
  interface RowSetter {
    void set(VectorSchemaRoot root, int row, int rowOfFragment);
  }

  /** Writes one fragment in batches of up to 100 rows. */
  List<FragmentFile> write(WriteTarget target, int rows, RowSetter setter) {
    try (FragmentWriter writer = new FragmentWriter(target, allocator, QUEUE_BYTES)) {
      writer.open();
      int first = 0;
      while (first < rows) {
        int count = Math.min(100, rows - first);
        try (VectorSchemaRoot root = VectorSchemaRoot.create(target.schema(), allocator)) {
          int base = first;
          root.allocateNew();
          IntStream.range(0, count).forEach(row -> setter.set(root, row, base + row));
          root.setRowCount(count);
          writer.write(new VectorUnloader(root).getRecordBatch()).join();
        }
        first += count;
      }
      return writer.finish().join();
    } catch (CompletionException failure) {
      throw MillraceException.of(failure);
    }
  }

  /** A new table of photos in one fragment per entry. */
  LanceLocation photoTable(String name, int photoBytes, int... rowsPerFragment) {
    WriteTarget target = WriteTarget.fresh(at(name), PHOTOS);
    int[] first = {0};
    List<FragmentFile> fragments =
        Arrays.stream(rowsPerFragment)
            .boxed()
            .flatMap(
                rows -> {
                  List<FragmentFile> written = writePhotos(target, first[0], rows, photoBytes);
                  first[0] += rows;
                  return written.stream();
                })
            .toList();
    new LanceCommit(runtime, allocator, target, "create-" + name).create(fragments);
    return target.location();
  }

  /** Names of all files below a table, data and versions alike. */
  static List<String> files(LanceLocation location) throws IOException {
    Path root = location.localFolder().orElseThrow();
    if (!Files.exists(root)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .filter(Files::isRegularFile)
          .map(f -> root.relativize(f).toString())
          .sorted()
          .toList();
    }
  }

  static ErrorCode codeOf(Runnable action) {
    try {
      action.run();
    } catch (MillraceException failure) {
      return failure.code();
    }
    throw new AssertionError("No error came");
  }

  @Override
  public void close() {
    runtime.close();
    try {
      allocator.close();
    } finally {
      deleteFolder();
    }
  }

  private void deleteFolder() {
    try (Stream<Path> files = Files.walk(folder)) {
      files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
    } catch (IOException failure) {
      throw new IllegalStateException(failure);
    }
  }
}
