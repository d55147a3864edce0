package io.millrace.exec.operator.sink;

import io.millrace.core.batch.Batch;
import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.VectorBuilder;
import io.millrace.core.spi.BatchWriter;
import io.millrace.core.spi.SinkSpecification;
import io.millrace.core.spi.Step;
import io.millrace.core.spi.TableSink;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Schema;
import io.millrace.exec.pipeline.Operator;
import io.millrace.exec.pipeline.OperatorContext;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Writes its rows and gives one row that describes them: the fragment and its number of rows. The
 * writer blocks, so it works on virtual threads, one call at a time.
 */
public final class WriteOperator implements Operator {
  private final Schema inputSchema;
  private final Supplier<TableSink> sinks;
  private final String attemptId;
  private OperatorContext context;
  private TableSink sink;

  /** Used by the blocking work only, one piece after the other. */
  private BatchWriter writer;

  private Batch pending;
  private long writtenRows;
  private boolean inputEnded;
  private CompletableFuture<Void> working;
  private CompletableFuture<byte[]> finishing;
  private boolean given;
  private boolean closed;

  /**
   * @param sinks opens the sink; the operator closes it
   * @param attemptId unique per attempt and driver
   */
  public WriteOperator(Schema inputSchema, Supplier<TableSink> sinks, String attemptId) {
    this.inputSchema = inputSchema;
    this.sinks = sinks;
    this.attemptId = attemptId;
  }

  @Override
  public Schema outputSchema() {
    return SinkSpecification.FRAGMENT_SCHEMA;
  }

  @Override
  public void open(OperatorContext operatorContext) {
    context = operatorContext;
  }

  @Override
  public void addInput(Batch input) {
    pending = input;
  }

  @Override
  public void noMoreInput() {
    inputEnded = true;
  }

  @Override
  public Step advance() {
    if (working != null) {
      if (!working.isDone()) {
        return new Step.Blocked(working, Step.BlockReason.IO);
      }
      CompletableFuture<Void> done = working;
      working = null;
      done.join();
    }
    if (pending != null) {
      Batch batch = pending.compact(context.allocator());
      pending = null;
      writtenRows += batch.rowCount();
      working = context.supplyBlocking(() -> write(batch));
      return new Step.Blocked(working, Step.BlockReason.IO);
    }
    if (!inputEnded) {
      return Step.NEED_INPUT;
    }
    if (writtenRows == 0 || given) {
      return Step.FINISHED;
    }
    if (finishing == null) {
      finishing = context.supplyBlocking(() -> writer.finish());
      working = finishing.thenApply(fragment -> null);
      return new Step.Blocked(working, Step.BlockReason.IO);
    }
    given = true;
    return new Step.Output(fragmentRow(finishing.join()));
  }

  private Void write(Batch batch) {
    try {
      if (writer == null) {
        sink = sinks.get();
        writer = sink.openWriter(attemptId);
      }
    } catch (RuntimeException | Error failure) {
      batch.close();
      throw failure;
    }
    writer.write(batch.withSchema(inputSchema));
    return null;
  }

  private Batch fragmentRow(byte[] fragment) {
    try (VectorBuilder fragments = new VectorBuilder(DataType.BINARY, context.allocator());
        VectorBuilder rows = new VectorBuilder(DataType.INT64, context.allocator())) {
      fragments.appendBytes(fragment);
      rows.appendLong(writtenRows);
      List<ColumnVector> columns = List.of(fragments.finish(), rows.finish());
      return new Batch(outputSchema(), columns, 1);
    }
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    if (pending != null) {
      pending.close();
      pending = null;
    }
    if (context == null) {
      return;
    }
    // A call may still run: the writer is closed after it, and the task waits for that.
    CompletableFuture<Void> before =
        working == null ? CompletableFuture.completedFuture(null) : working;
    context.track(
        before.handleAsync(
            (nothing, failure) -> {
              closeWriter();
              return null;
            },
            context.blockingWork()));
  }

  private void closeWriter() {
    try {
      if (writer != null) {
        writer.close();
      }
    } finally {
      if (sink != null) {
        sink.close();
      }
    }
  }
}
