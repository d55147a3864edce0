package io.millrace.exec.operator.transform;

import io.millrace.core.batch.Batch;
import io.millrace.core.batch.ColumnVector;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.plan.PhysicalPlan;
import io.millrace.core.spi.Step;
import io.millrace.core.type.Schema;
import io.millrace.exec.pipeline.Operator;
import io.millrace.exec.pipeline.OperatorContext;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Appends the column that a user-defined function gives. Cuts its input into calls of the
 * function's batch size; several calls run at once, and their rows go on in order. Only the
 * argument columns travel.
 */
public final class UdfOperator implements Operator {
  private final PhysicalPlan.Udf plan;
  private final SharedUdfPool pool;
  private final Schema schema;
  private final Deque<Call> calls = new ArrayDeque<>();
  private OperatorContext context;
  private Batch pending;
  private Held held;
  private int position;
  private boolean inputEnded;
  private boolean closed;

  /** A call in flight, the rows it is for, and the input they are of. */
  private record Call(Batch rows, Held input, CompletableFuture<ColumnVector> result) {}

  /** The memory of one input batch, held until its last call has ended. */
  private static final class Held {
    private final long bytes;
    private int openCalls;

    Held(long bytes) {
      this.bytes = bytes;
    }
  }

  public UdfOperator(PhysicalPlan.Udf plan, SharedUdfPool pool) {
    this.plan = plan;
    this.pool = pool;
    this.schema = plan.outputSchema();
  }

  @Override
  public Schema outputSchema() {
    return schema;
  }

  @Override
  public void open(OperatorContext operatorContext) {
    context = operatorContext;
  }

  @Override
  public void addInput(Batch input) {
    // Rows in flight are the state; they share the input's buffers.
    long before = context.memory().stateBytes();
    context.memory().keepInput();
    held = new Held(context.memory().stateBytes() - before);
    pending = input;
    position = 0;
  }

  @Override
  public void noMoreInput() {
    inputEnded = true;
  }

  @Override
  public Step advance() {
    startCalls();
    Call first = calls.peek();
    if (first != null && first.result().isDone()) {
      calls.poll();
      return new Step.Output(finish(first));
    }
    boolean wantsMore = pending == null && calls.size() < pool.inFlightLimit();
    if (wantsMore && !inputEnded) {
      return Step.NEED_INPUT;
    }
    if (first != null) {
      return new Step.Blocked(
          first.result().handle((value, failure) -> null), Step.BlockReason.UDF);
    }
    return Step.FINISHED;
  }

  private void startCalls() {
    while (pending != null && calls.size() < Math.max(1, pool.inFlightLimit())) {
      int rows = Math.min(pending.rowCount() - position, plan.function().options().batchRows());
      if (rows > 0) {
        start(pending.slice(position, rows).compact(context.allocator()));
        position += rows;
      }
      if (position >= pending.rowCount()) {
        pending.close();
        pending = null;
        releaseIfDone(held);
      }
    }
  }

  /** Consumes the rows. */
  private void start(Batch rows) {
    try {
      Batch arguments = rows.share().project(plan.arguments());
      calls.add(new Call(rows, held, context.track(pool.call(arguments))));
      held.openCalls++;
    } catch (RuntimeException | Error failure) {
      rows.close();
      throw failure;
    }
  }

  /** Consumes the call. */
  private Batch finish(Call call) {
    Batch rows = call.rows();
    ColumnVector result;
    try {
      result = call.result().join();
    } catch (RuntimeException failure) {
      rows.close();
      throw failure;
    }
    try {
      requireFits(rows, result);
    } catch (RuntimeException failure) {
      rows.close();
      result.close();
      throw failure;
    }
    List<ColumnVector> columns = new ArrayList<>(schema.size());
    rows.columns().forEach(column -> columns.add(column.retain()));
    columns.add(result);
    Batch output = rows.withColumns(schema, columns);
    call.input().openCalls--;
    releaseIfDone(call.input());
    return output;
  }

  private void requireFits(Batch rows, ColumnVector result) {
    if (result.length() != rows.rowCount()) {
      throw new MillraceException(
          ErrorCode.UDF_FAILED,
          "A function gave another number of results than it got rows: "
              + plan.function().name()
              + ", "
              + result.length()
              + " for "
              + rows.rowCount());
    }
  }

  private void releaseIfDone(Held input) {
    if (input.openCalls == 0 && (pending == null || input != held)) {
      context.memory().settle(context.memory().stateBytes() - input.bytes);
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
    for (Call call : calls) {
      call.rows().close();
      context.track(
          call.result()
              .whenComplete(
                  (result, failure) -> {
                    if (result != null) {
                      result.close();
                    }
                  }));
      call.result().cancel(true);
    }
    calls.clear();
    if (context != null) {
      pool.report(context.metrics());
    }
  }
}
