package io.millrace.exec.format.file;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.core.batch.Batch;
import io.millrace.core.config.Configuration;
import io.millrace.core.config.Settings;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.spi.BatchSource;
import io.millrace.core.spi.ConnectorContext;
import io.millrace.core.spi.RowTaker;
import io.millrace.core.spi.ScanSpecification;
import io.millrace.core.spi.ScanSpecification.ScanColumn;
import io.millrace.core.spi.SourceReference;
import io.millrace.core.spi.Split;
import io.millrace.core.spi.Step;
import io.millrace.core.spi.Table;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.exec.store.SchemeStores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileConnectorTest {
  private final FileConnector connector = new FileConnector();
  private final BufferAllocator allocator = new RootAllocator();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final SchemeStores stores = new SchemeStores();
  private final ConnectorContext context =
      new ConnectorContext(
          allocator, threads, stores, Configuration.DEFAULTS.with(Settings.BATCH_BYTES, 1024L));

  @TempDir Path folder;

  @BeforeEach
  void writeFiles() throws IOException {
    Files.createDirectories(folder.resolve("in/deep"));
    for (int i = 0; i < 5; i++) {
      Files.write(folder.resolve("in/photo " + i + ".jpg"), content(i));
    }
    Files.write(folder.resolve("in/deep/other.jpg"), content(9));
    Files.writeString(folder.resolve("in/notes.txt"), "");
  }

  @AfterEach
  void nothingLeaks() {
    threads.close();
    allocator.close();
  }

  @Test
  void listsWhatThePatternNames() {
    assertEquals(5, rows("in/*.jpg").size());
    assertEquals(6, rows("in/**.jpg").size());
    assertEquals(2, rows("in/photo [01].jpg").size());
    assertEquals(2, rows("in/{notes.txt,photo 3.jpg}").size());
    assertEquals(7, rows("in").size());
    assertEquals(1, rows("in/photo 2.jpg").size());
  }

  @Test
  void aPatternThatMatchesNothingIsAnError() {
    for (String pattern : List.of("in/*.png", "nowhere/*", "nowhere.jpg")) {
      MillraceException failure = assertThrows(MillraceException.class, () -> rows(pattern));
      assertEquals(ErrorCode.FILE_NOT_FOUND, failure.code());
    }
  }

  @Test
  void readsContentsInBatchesOfBoundedSize() {
    Table table = table("in/*.jpg");
    List<Batch> batches = scan(table, "path", "size", "content");
    assertEquals(3, batches.size());
    int photo = 0;
    for (Batch batch : batches) {
      for (int row = 0; row < batch.rowCount(); row++, photo++) {
        assertEquals(folder + "/in/photo " + photo + ".jpg", batch.valueAt(0, row));
        assertEquals(400L + photo, batch.valueAt(1, row));
        assertArrayEquals(content(photo), (byte[]) batch.valueAt(2, row));
      }
    }
    batches.forEach(Batch::close);
  }

  @Test
  void takesContentsByAddress() {
    Table table = table("in/*.jpg");
    try (RowTaker taker = connector.openTaker(table.source(), context);
        Batch taken =
            taker.take(new long[] {1, 4}, List.of(FileConnector.CONTENT)).join().batch()) {
      assertArrayEquals(content(1), (byte[]) taken.valueAt(0, 0));
      assertArrayEquals(content(4), (byte[]) taken.valueAt(0, 1));
    }
  }

  @Test
  void referencesAreOrdinals() {
    Table table = table("in/*.jpg");
    DataType reference = new DataType.Reference(0, FileConnector.CONTENT, DataType.BINARY);
    ScanColumn column = new ScanColumn(FileConnector.CONTENT, Field.nullable("content", reference));
    List<Batch> batches = scan(table, List.of(column));
    assertEquals(5, batches.getFirst().rowCount());
    assertEquals(3L, batches.getFirst().valueAt(0, 3));
    batches.forEach(Batch::close);
  }

  @Test
  void aChangedFileIsAnErrorAndNeverOtherBytes() throws IOException {
    Table table = table("in/*.jpg");
    Files.write(folder.resolve("in/photo 1.jpg"), new byte[10]);
    try (RowTaker taker = connector.openTaker(table.source(), context)) {
      CompletionException failure =
          assertThrows(
              CompletionException.class,
              () -> taker.take(new long[] {1}, List.of(FileConnector.CONTENT)).join());
      assertEquals(
          ErrorCode.SOURCE_CHANGED,
          assertInstanceOf(MillraceException.class, failure.getCause()).code());
    }
  }

  @Test
  void closesInTheMiddleOfARead() {
    Table table = table("in/*.jpg");
    Split split = table.splits(specification(table, columns("content")), 1).getFirst();
    BatchSource source =
        connector.openScan(specification(table, columns("content")), split, context);
    assertInstanceOf(Step.Blocked.class, source.poll());
    source.close();
    source.close();
  }

  @Test
  void splitsCoverEachFileOnce() {
    Table table = table("in/*.jpg");
    long rows =
        table.splits(specification(table, columns("path")), 3).stream()
            .mapToLong(Split::rows)
            .sum();
    assertEquals(5, rows);
    assertEquals(5, table.splits(specification(table, columns("path")), 100).size());
  }

  private static byte[] content(int i) {
    byte[] bytes = new byte[400 + i];
    java.util.Arrays.fill(bytes, (byte) i);
    return bytes;
  }

  private Table table(String pattern) {
    return connector.open(
        new SourceReference(
            0, "files", List.of(folder + "/" + pattern), Map.of(), Optional.empty()),
        context);
  }

  private List<Object> rows(String pattern) {
    List<Object> paths = new ArrayList<>();
    for (Batch batch : scan(table(pattern), "path")) {
      for (int row = 0; row < batch.rowCount(); row++) {
        paths.add(batch.valueAt(0, row));
      }
      batch.close();
    }
    return paths;
  }

  private static List<ScanColumn> columns(String... names) {
    List<ScanColumn> columns = new ArrayList<>();
    for (String name : names) {
      columns.add(
          new ScanColumn(name, FileConnector.SCHEMA.field(FileConnector.SCHEMA.indexOf(name))));
    }
    return columns;
  }

  private static ScanSpecification specification(Table table, List<ScanColumn> columns) {
    return new ScanSpecification(
        table.source(), table.schema(), columns, List.of(), OptionalLong.empty());
  }

  private List<Batch> scan(Table table, String... names) {
    return scan(table, columns(names));
  }

  private List<Batch> scan(Table table, List<ScanColumn> columns) {
    ScanSpecification specification = specification(table, columns);
    List<Batch> batches = new ArrayList<>();
    for (Split split : table.splits(specification, 1)) {
      try (BatchSource source = connector.openScan(specification, split, context)) {
        while (true) {
          Step step = source.poll();
          if (step instanceof Step.Output output) {
            batches.add(output.batch());
          } else if (step instanceof Step.Blocked blocked) {
            blocked.ready().join();
          } else {
            break;
          }
        }
      }
    }
    return batches;
  }
}
