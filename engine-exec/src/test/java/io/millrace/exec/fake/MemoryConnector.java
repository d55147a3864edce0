package io.millrace.exec.fake;

import io.millrace.core.batch.Batch;
import io.millrace.core.batch.ColumnVector;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.spi.BatchSource;
import io.millrace.core.spi.BatchWriter;
import io.millrace.core.spi.Connector;
import io.millrace.core.spi.ConnectorContext;
import io.millrace.core.spi.RowTaker;
import io.millrace.core.spi.ScanSpecification;
import io.millrace.core.spi.SinkSpecification;
import io.millrace.core.spi.SourceReference;
import io.millrace.core.spi.Split;
import io.millrace.core.spi.Step;
import io.millrace.core.spi.Table;
import io.millrace.core.spi.TableSink;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import io.millrace.testkit.BatchForm;
import io.millrace.testkit.BatchGenerators;
import io.millrace.testkit.BatchRows;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/**
 * Rows in memory as a table: split n is every row whose number modulo the splits is n; the address
 * of a row is its number. A source is not ready at every second poll. Thread-safe.
 */
public final class MemoryConnector implements Connector {
  private final Schema schema;
  private final List<List<Object>> rows;
  private final int splitCount;
  private final int batchRows;
  private final AtomicInteger openSources = new AtomicInteger();
  private final AtomicInteger takeCalls = new AtomicInteger();
  private final AtomicInteger batchesRead = new AtomicInteger();
  private final List<List<Object>> written = new ArrayList<>();
  private final AtomicInteger openWriters = new AtomicInteger();

  public MemoryConnector(Schema schema, List<List<Object>> rows, int splitCount, int batchRows) {
    this.schema = schema;
    this.rows = rows;
    this.splitCount = splitCount;
    this.batchRows = batchRows;
  }

  /** A source of this connector under the id. */
  public SourceReference source(int id) {
    return new SourceReference(id, name(), List.of("memory"), Map.of(), Optional.of("pin"));
  }

  /** A scan of the named columns; of a column of type reference the row's address. */
  public ScanSpecification scan(Field... columns) {
    return new ScanSpecification(
        source(0),
        schema,
        java.util.Arrays.stream(columns)
            .map(field -> new ScanSpecification.ScanColumn(field.name(), field))
            .toList(),
        List.of(),
        OptionalLong.empty());
  }

  public List<Split> splits() {
    return IntStream.range(0, splitCount)
        .mapToObj(index -> new Split(String.valueOf(index), -1, -1, List.of()))
        .toList();
  }

  /** Sources opened and not closed. */
  public int openSources() {
    return openSources.get();
  }

  public int openWriters() {
    return openWriters.get();
  }

  public int takeCalls() {
    return takeCalls.get();
  }

  public int batchesRead() {
    return batchesRead.get();
  }

  /** Rows of finished writers. */
  public List<List<Object>> written() {
    synchronized (written) {
      return List.copyOf(written);
    }
  }

  @Override
  public String name() {
    return "memory";
  }

  @Override
  public Set<String> suffixes() {
    return Set.of();
  }

  @Override
  public Set<String> readOptions() {
    return Set.of();
  }

  @Override
  public Set<String> writeOptions() {
    return Set.of();
  }

  @Override
  public Table open(SourceReference source, ConnectorContext context) {
    throw new UnsupportedOperationException();
  }

  @Override
  public BatchSource openScan(
      ScanSpecification specification, Split split, ConnectorContext context) {
    int number = Integer.parseInt(split.payload());
    List<List<Object>> own = new ArrayList<>();
    for (int row = number; row < rows.size(); row += splitCount) {
      List<Object> values = new ArrayList<>();
      for (ScanSpecification.ScanColumn column : specification.columns()) {
        values.add(
            column.output().type() instanceof DataType.Reference
                ? (Object) (long) row
                : rows.get(row).get(schema.indexOf(column.sourceColumn())));
      }
      own.add(values);
    }
    openSources.incrementAndGet();
    return new Source(
        specification.outputSchema(), own, new BatchGenerators(number, context.allocator()));
  }

  /** The rows of one split. */
  private final class Source implements BatchSource {
    private final Schema output;
    private final List<List<Object>> own;
    private final BatchGenerators generators;
    private int position;
    private boolean ready;
    private boolean closed;

    Source(Schema output, List<List<Object>> own, BatchGenerators generators) {
      this.output = output;
      this.own = own;
      this.generators = generators;
    }

    @Override
    public Step poll() {
      if (!ready) {
        ready = true;
        return new Step.Blocked(
            CompletableFuture.runAsync(
                () -> {}, CompletableFuture.delayedExecutor(50, TimeUnit.MICROSECONDS)),
            Step.BlockReason.IO);
      }
      ready = false;
      if (position >= own.size()) {
        return Step.FINISHED;
      }
      int end = Math.min(own.size(), position + batchRows);
      BatchForm form = BatchForm.values()[position % BatchForm.values().length];
      Batch batch = generators.of(output, own.subList(position, end), form);
      position = end;
      batchesRead.incrementAndGet();
      return new Step.Output(batch);
    }

    @Override
    public long readBytes() {
      return 10L * position;
    }

    @Override
    public void close() {
      if (!closed) {
        closed = true;
        openSources.decrementAndGet();
      }
    }
  }

  @Override
  public RowTaker openTaker(SourceReference source, ConnectorContext context) {
    return new RowTaker() {
      @Override
      public CompletableFuture<Taken> take(long[] addresses, List<String> columns) {
        takeCalls.incrementAndGet();
        for (int index = 1; index < addresses.length; index++) {
          if (addresses[index] <= addresses[index - 1]) {
            throw new AssertionError("addresses are not ascending");
          }
        }
        return CompletableFuture.supplyAsync(
            () -> taken(addresses, columns, context), context.blockingWork());
      }

      @Override
      public void close() {}
    };
  }

  private RowTaker.Taken taken(long[] addresses, List<String> columns, ConnectorContext context) {
    Schema output = schema.select(columns.stream().map(schema::indexOf).toList());
    List<List<Object>> values = new ArrayList<>();
    for (long address : addresses) {
      if (address >= rows.size()) {
        throw new MillraceException(ErrorCode.SOURCE_CHANGED, "The row is gone: " + address);
      }
      List<Object> row = rows.get((int) address);
      values.add(columns.stream().map(column -> row.get(schema.indexOf(column))).toList());
    }
    Batch batch = new BatchGenerators(1, context.allocator()).of(output, values, BatchForm.FLAT);
    return new RowTaker.Taken(batch, 100L * addresses.length);
  }

  @Override
  public TableSink openSink(SinkSpecification specification, ConnectorContext context) {
    return new TableSink() {
      @Override
      public void begin() {}

      @Override
      public BatchWriter openWriter(String attemptId) {
        openWriters.incrementAndGet();
        return new Writer(attemptId);
      }

      @Override
      public void commit(List<byte[]> fragments) {}

      @Override
      public void abort() {}

      @Override
      public void close() {}
    };
  }

  /** Keeps rows until it is finished. */
  private final class Writer implements BatchWriter {
    private final String attemptId;
    private final List<List<Object>> own = new ArrayList<>();
    private boolean closed;

    Writer(String attemptId) {
      this.attemptId = attemptId;
    }

    @Override
    public void write(Batch batch) {
      try (batch) {
        for (ColumnVector column : batch.columns()) {
          if (column.length() != batch.rowCount()) {
            throw new AssertionError("a written batch has a selection");
          }
        }
        own.addAll(BatchRows.of(batch));
      }
    }

    @Override
    public byte[] finish() {
      synchronized (written) {
        written.addAll(own);
      }
      return attemptId.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
      if (!closed) {
        closed = true;
        openWriters.decrementAndGet();
      }
    }
  }
}
