package io.millrace.exec.format.output;

import io.millrace.core.batch.Batch;
import io.millrace.core.batch.VectorBuilder;
import io.millrace.core.config.Configuration;
import io.millrace.core.spi.BatchWriter;
import io.millrace.core.spi.ConnectorContext;
import io.millrace.core.spi.ObjectStores;
import io.millrace.core.spi.SinkSpecification;
import io.millrace.core.spi.TableSink;
import io.millrace.core.spi.WriteMode;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import io.millrace.exec.format.csv.CsvConnector;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ForkJoinPool;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

/** Writes to a folder again and again, with a byte of output before each change, until killed. */
final class KilledWriter {
  static final Schema SCHEMA =
      Schema.of(Field.required("id", DataType.INT64), Field.required("write", DataType.INT64));
  static final int TASKS = 2;
  static final int ROWS_A_TASK = 20;

  private KilledWriter() {}

  public static void main(String[] arguments) {
    WriteMode mode = WriteMode.valueOf(arguments[1]);
    CrashingStores stores =
        new CrashingStores(
            Integer.MAX_VALUE,
            true,
            () -> {
              System.out.write('.');
              System.out.flush();
            });
    try (RootAllocator allocator = new RootAllocator()) {
      for (long number = Long.parseLong(arguments[2]); ; number++) {
        write(allocator, stores, arguments[0], mode, number, Map.of());
      }
    }
  }

  /** Each task gives rows whose column {@code write} is the number of the write. */
  static void write(
      BufferAllocator allocator,
      ObjectStores stores,
      String uri,
      WriteMode mode,
      long number,
      Map<String, String> options) {
    CsvConnector connector = new CsvConnector();
    ConnectorContext context =
        new ConnectorContext(allocator, ForkJoinPool.commonPool(), stores, Configuration.DEFAULTS);
    SinkSpecification specification =
        new SinkSpecification(
            connector.name(), uri, mode, SCHEMA, options, UUID.randomUUID().toString());
    try (TableSink sink = connector.openSink(specification, context)) {
      sink.begin();
      List<byte[]> fragments = new ArrayList<>();
      for (int task = 0; task < TASKS; task++) {
        try (BatchWriter writer = sink.openWriter("task-" + task)) {
          writer.write(batch(allocator, number));
          fragments.add(writer.finish());
        }
      }
      sink.commit(fragments);
    }
  }

  private static Batch batch(BufferAllocator allocator, long number) {
    try (VectorBuilder ids = new VectorBuilder(DataType.INT64, allocator);
        VectorBuilder numbers = new VectorBuilder(DataType.INT64, allocator)) {
      for (int row = 0; row < ROWS_A_TASK; row++) {
        ids.appendLong(row % 2);
        numbers.appendLong(number);
      }
      return new Batch(SCHEMA, List.of(ids.finish(), numbers.finish()), ROWS_A_TASK);
    }
  }
}
