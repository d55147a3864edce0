package io.millrace.exec.operator.sort;

import io.millrace.core.batch.Batch;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.plan.OrderKey;
import io.millrace.core.spi.Step;
import io.millrace.core.type.Schema;
import io.millrace.exec.operator.row.RowBuffer;
import io.millrace.exec.operator.row.RowConcatenation;
import io.millrace.exec.pipeline.Operator;
import io.millrace.exec.pipeline.OperatorContext;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Gathers all rows, sorts them stably, and gives them in order. When memory is short it writes what
 * it has as sorted runs to disk, and merges the runs at the end.
 */
public final class SortOperator implements Operator {
  private final Schema schema;
  private final RowOrder order;
  private final RowBuffer rows = new RowBuffer();
  private OperatorContext context;
  private boolean inputEnded;
  private RowConcatenation concatenation;
  private long workingBytes;
  private RowSorter sorter;
  private boolean sorted;
  private int outputRow;
  private SortedRuns runs;
  private CompletableFuture<Void> spilling;
  private SortedMerge merge;
  private boolean closed;

  public SortOperator(Schema schema, List<OrderKey> keys) {
    this.schema = schema;
    this.order = new RowOrder(schema, keys);
  }

  @Override
  public Schema outputSchema() {
    return schema;
  }

  @Override
  public void open(OperatorContext operatorContext) {
    context = operatorContext;
    rows.open(context);
    runs = new SortedRuns(schema, order, context);
  }

  @Override
  public boolean gathersInput() {
    return true;
  }

  @Override
  public void addInput(Batch input) {
    rows.add(input);
  }

  @Override
  public void noMoreInput() {
    inputEnded = true;
  }

  @Override
  public Step advance() {
    if (spilling != null) {
      if (!spilling.isDone()) {
        return new Step.Blocked(spilling, Step.BlockReason.IO);
      }
      CompletableFuture<Void> done = spilling;
      spilling = null;
      done.join();
    }
    if (merge != null) {
      return merge.advance();
    }
    if (sorted) {
      return output();
    }
    rows.settleLast();
    if (!inputEnded) {
      return Step.NEED_INPUT;
    }
    if (!runs.isEmpty()) {
      return finishRuns();
    }
    if (sorter == null) {
      return concatenate();
    }
    sorted = sorter.step();
    return CONTINUE;
  }

  private Step concatenate() {
    if (concatenation == null) {
      if (rows.rowCount() == 0) {
        return Step.FINISHED;
      }
      concatenation = new RowConcatenation(schema, rows.take(), context.allocator());
      workingBytes =
          context.memory().stateBytes()
              + Math.max(
                  concatenation.extraBytes(), RowSorter.extraBytes(concatenation.rowCount()));
    }
    if (concatenation.isUntouched()) {
      Step.Blocked blocked = requireOrSpill();
      if (blocked != null) {
        return blocked;
      }
    }
    Batch joined = concatenation.step();
    if (joined != null) {
      concatenation = null;
      sorter = new RowSorter(joined, order, context.allocator());
    }
    return CONTINUE;
  }

  /** Sorting in memory takes more than there ever is: then not in memory. */
  private Step.Blocked requireOrSpill() {
    try {
      return context.memory().require(workingBytes);
    } catch (MillraceException failure) {
      if (failure.code() != ErrorCode.MEMORY_EXHAUSTED) {
        throw failure;
      }
      spilling = spill(takeRows());
      return new Step.Blocked(spilling, Step.BlockReason.IO);
    }
  }

  /** What is still in memory becomes a run too; then all are merged. */
  private Step finishRuns() {
    if (rows.rowCount() > 0) {
      spilling = spill(takeRows());
      return new Step.Blocked(spilling, Step.BlockReason.IO);
    }
    Step.Blocked blocked = context.memory().require(runs.mergeBytes());
    if (blocked != null) {
      return blocked;
    }
    merge = runs.merge();
    merge.open(context);
    return CONTINUE;
  }

  private Step output() {
    int count = Math.min(sorter.rowCount() - outputRow, context.rowsPerBatch(sorter.bytesPerRow()));
    if (count == 0) {
      return Step.FINISHED;
    }
    Batch batch = sorter.rows(outputRow, count);
    outputRow += count;
    return new Step.Output(batch);
  }

  /** The rows gathered so far, as long as their sorting has not begun. */
  private List<Batch> takeRows() {
    if (concatenation == null) {
      return rows.take();
    }
    List<Batch> taken = concatenation.takeBack();
    concatenation = null;
    return taken;
  }

  /** Writes rows off this thread; their memory is given back before the future completes. */
  private CompletableFuture<Void> spill(List<Batch> taken) {
    return context
        .supplyBlocking(
            () -> {
              runs.add(taken);
              return (Void) null;
            })
        .whenComplete((nothing, failure) -> context.memory().settle(0));
  }

  @Override
  public long revocableBytes() {
    boolean gathering = rows.rowCount() > 0 || concatenation != null && concatenation.isUntouched();
    boolean busy = spilling != null || merge != null || sorter != null;
    return gathering && !busy && !closed ? context.memory().stateBytes() : 0;
  }

  @Override
  public CompletableFuture<Void> revoke(long targetBytes) {
    if (revocableBytes() == 0) {
      return CompletableFuture.completedFuture(null);
    }
    rows.settleLast();
    spilling = spill(takeRows());
    return spilling;
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    rows.close();
    if (concatenation != null) {
      concatenation.close();
      concatenation = null;
    }
    if (sorter != null) {
      sorter.close();
      sorter = null;
    }
    if (merge != null) {
      merge.close();
      merge = null;
    }
    if (spilling != null) {
      // The runs are being written: they are closed when that has ended.
      context.track(spilling.handle((nothing, failure) -> closeRuns()));
    } else if (runs != null) {
      runs.close();
    }
  }

  private Void closeRuns() {
    runs.close();
    return null;
  }
}
