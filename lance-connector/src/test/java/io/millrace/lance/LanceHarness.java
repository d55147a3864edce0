package io.millrace.lance;

import io.millrace.core.batch.Batch;
import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.VectorBuilder;
import io.millrace.core.config.Configuration;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.plan.PhysicalExpression;
import io.millrace.core.spi.BatchSource;
import io.millrace.core.spi.BatchWriter;
import io.millrace.core.spi.ConnectorContext;
import io.millrace.core.spi.ScanSpecification;
import io.millrace.core.spi.ScanSpecification.ScanColumn;
import io.millrace.core.spi.SinkSpecification;
import io.millrace.core.spi.SourceReference;
import io.millrace.core.spi.Split;
import io.millrace.core.spi.Step;
import io.millrace.core.spi.Table;
import io.millrace.core.spi.TableSink;
import io.millrace.core.spi.WriteMode;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.apache.arrow.memory.RootAllocator;

/**
 * The connector as the engine uses it, over a folder of its own; close finds leaks and leftovers.
 */
final class LanceHarness implements AutoCloseable {
  final Path folder;
  final RootAllocator allocator = new RootAllocator();
  final LanceConnector connector = new LanceConnector();
  final ConnectorContext context;
  private final ExecutorService blockingWork = Executors.newVirtualThreadPerTaskExecutor();

  LanceHarness() {
    this(Map.of());
  }

  LanceHarness(Map<String, String> settings) {
    try {
      folder = Files.createTempDirectory("millrace-lance");
    } catch (IOException failure) {
      throw new IllegalStateException(failure);
    }
    context =
        new ConnectorContext(
            allocator, blockingWork, new LocalStores(), Configuration.of(settings));
  }

  static Path fixture(String name) {
    return Path.of("src/test/resources/fixtures", name + ".lance").toAbsolutePath();
  }

  String at(String name) {
    return folder.resolve(name + ".lance").toString();
  }

  static SourceReference source(String uri, String... options) {
    Map<String, String> map = options.length == 0 ? Map.of() : Map.of(options[0], options[1]);
    return new SourceReference(7, LanceConnector.NAME, List.of(uri), map, Optional.empty());
  }

  Table open(String uri, String... options) {
    return connector.open(source(uri, options), context);
  }

  /** A scan of these columns by value. */
  static ScanSpecification scanOf(
      Table table, List<String> columns, List<PhysicalExpression> filters, OptionalLong limit) {
    List<ScanColumn> scanned =
        columns.stream().map(name -> new ScanColumn(name, field(table, name))).toList();
    return new ScanSpecification(table.source(), table.schema(), scanned, filters, limit);
  }

  static Field field(Table table, String name) {
    return table.schema().field(table.schema().indexOf(name));
  }

  static PhysicalExpression.Input input(Table table, String name) {
    int index = table.schema().indexOf(name);
    return new PhysicalExpression.Input(index, table.schema().field(index).type());
  }

  /** A column of references to a heavy column's values. */
  static ScanColumn reference(Table table, String name) {
    Field field = field(table, name);
    return new ScanColumn(name, field.withType(new DataType.Reference(7, name, field.type())));
  }

  /** All batches of a scan, split after split; the caller closes them. */
  List<Batch> batches(Table table, ScanSpecification specification) {
    List<Batch> batches = new ArrayList<>();
    for (Split split : table.splits(specification, 4)) {
      try (BatchSource source = connector.openScan(specification, split, context)) {
        batches.addAll(drain(source));
      }
    }
    return batches;
  }

  static List<Batch> drain(BatchSource source) {
    List<Batch> batches = new ArrayList<>();
    while (true) {
      switch (source.poll()) {
        case Step.Output output -> batches.add(output.batch());
        case Step.Blocked blocked -> blocked.ready().join();
        case Step.Finished ignored -> {
          return batches;
        }
        case Step.NeedInput ignored -> throw new AssertionError("A source needs no input");
      }
    }
  }

  /** All rows of a scan as lists of Java values. */
  List<List<Object>> rows(Table table, ScanSpecification specification) {
    List<Batch> batches = batches(table, specification);
    List<List<Object>> rows = new ArrayList<>();
    for (Batch batch : batches) {
      try (batch) {
        for (int row = 0; row < batch.rowCount(); row++) {
          List<Object> values = new ArrayList<>();
          for (int column = 0; column < batch.columnCount(); column++) {
            values.add(batch.valueAt(column, row));
          }
          rows.add(values);
        }
      }
    }
    return rows;
  }

  List<List<Object>> rows(String uri, String... columns) {
    try (Table table = open(uri)) {
      return rows(table, scanOf(table, List.of(columns), List.of(), OptionalLong.empty()));
    }
  }

  Batch batch(Schema schema, List<List<Object>> rows) {
    List<ColumnVector> columns = new ArrayList<>();
    for (int column = 0; column < schema.size(); column++) {
      try (VectorBuilder builder = new VectorBuilder(schema.field(column).type(), allocator)) {
        for (List<Object> row : rows) {
          if (row.get(column) == null) {
            builder.appendNull();
          } else {
            builder.appendValue(row.get(column));
          }
        }
        columns.add(builder.finish());
      }
    }
    return new Batch(schema, columns, rows.size());
  }

  SinkSpecification sink(String uri, WriteMode mode, Schema schema, String... options) {
    Map<String, String> map = options.length == 0 ? Map.of() : Map.of(options[0], options[1]);
    return new SinkSpecification(
        LanceConnector.NAME, uri, mode, schema, map, "write-" + System.nanoTime());
  }

  /** A whole write: one task per list of rows, each on a sink of its own as on another worker. */
  @SafeVarargs
  final void write(SinkSpecification specification, List<List<Object>>... tasks) {
    try (TableSink driver = connector.openSink(specification, context)) {
      driver.begin();
      List<byte[]> fragments = new ArrayList<>();
      try {
        for (List<List<Object>> rows : Arrays.asList(tasks)) {
          fragments.add(runTask(specification, "task-" + fragments.size(), rows));
        }
      } catch (RuntimeException failure) {
        driver.abort();
        throw failure;
      }
      driver.commit(fragments);
    }
  }

  byte[] runTask(SinkSpecification specification, String attempt, List<List<Object>> rows) {
    try (TableSink worker = connector.openSink(specification, context);
        BatchWriter writer = worker.openWriter(attempt)) {
      writer.write(batch(specification.schema(), rows));
      return writer.finish();
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

  /** Names of all files below a table. */
  static List<String> files(String uri) throws IOException {
    Path root = Path.of(uri);
    if (!Files.exists(root)) {
      return List.of();
    }
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .filter(Files::isRegularFile)
          .map(file -> root.relativize(file).toString())
          .sorted()
          .toList();
    }
  }

  @Override
  public void close() {
    blockingWork.close();
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
