package io.millrace.exec.operator.sort;

import io.millrace.core.batch.Batch;
import io.millrace.core.plan.PhysicalPlan;
import io.millrace.core.spi.Step;
import io.millrace.core.type.Schema;
import io.millrace.exec.operator.row.RowConcatenation;
import io.millrace.exec.pipeline.Operator;
import io.millrace.exec.pipeline.OperatorContext;
import java.util.ArrayList;
import java.util.List;

/**
 * The first rows in order. Keeps the best rows so far, sorted; a row that comes after the last of
 * them is dropped at once, the others gather until there are enough to sort them in.
 */
public final class TopNOperator implements Operator {
  private final Schema schema;
  private final RowOrder order;
  private final long keepRows;
  private final long limit;
  private final List<Batch> candidates = new ArrayList<>();
  private OperatorContext context;
  private Batch pending;
  private long pendingBytes;
  private long candidateRows;
  private long candidateBytes;
  private boolean inputEnded;
  private RowConcatenation concatenation;
  private long sortingBytes;
  private RowSorter sorter;

  // The best rows so far, in order; null before the first sort.
  private Batch best;
  private SortColumns bestColumns;
  private long lastPrefix;
  private long outputRow;

  public TopNOperator(PhysicalPlan.TopN plan) {
    this.schema = plan.outputSchema();
    this.order = new RowOrder(schema, plan.keys());
    this.limit = plan.limit();
    long sum = plan.offset() + plan.limit();
    this.keepRows = sum < 0 ? Long.MAX_VALUE : sum;
    this.outputRow = plan.offset();
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
    pending = input;
  }

  @Override
  public void noMoreInput() {
    inputEnded = true;
  }

  @Override
  public Step advance() {
    if (limit <= 0) {
      return Step.FINISHED;
    }
    if (sorter != null) {
      if (sorter.step()) {
        keepBest();
      }
      return CONTINUE;
    }
    if (concatenation != null) {
      Step.Blocked blocked = context.memory().require(sortingBytes);
      if (blocked != null) {
        return blocked;
      }
      Batch joined = concatenation.step();
      if (joined != null) {
        concatenation = null;
        sorter = new RowSorter(joined, order, context.allocator());
      }
      return CONTINUE;
    }
    if (pending != null) {
      Step.Blocked blocked = addPending();
      if (blocked != null) {
        return blocked;
      }
    }
    boolean enough =
        candidateRows >= Math.max(context.batchRows(), keepRows)
            || candidateBytes >= 4 * context.batchBytes() && candidateRows > keepRows;
    if (enough || inputEnded && candidateRows > 0) {
      beginSort();
      return CONTINUE;
    }
    return inputEnded ? output() : Step.NEED_INPUT;
  }

  private Step.Blocked addPending() {
    if (pendingBytes == 0) {
      pendingBytes = pending.retainedBytes();
    }
    Step.Blocked blocked = context.memory().require(candidateBytes + bestBytes() + pendingBytes);
    if (blocked != null) {
      return blocked;
    }
    Batch batch = pending;
    pending = null;
    pendingBytes = 0;
    Batch kept = better(batch);
    if (kept != null) {
      candidateRows += kept.rowCount();
      candidateBytes += kept.retainedBytes();
      candidates.add(kept);
    }
    context.memory().settle(candidateBytes + bestBytes());
    return null;
  }

  private long bestBytes() {
    return best == null ? 0 : best.retainedBytes();
  }

  /** The rows that may be among the best, compact; null without any. Consumes the batch. */
  private Batch better(Batch batch) {
    int rowCount = batch.rowCount();
    if (best == null || best.rowCount() < keepRows) {
      if (rowCount == 0) {
        batch.close();
        return null;
      }
      return batch.compact(context.allocator());
    }
    int last = best.rowCount() - 1;
    SortColumns columns = SortColumns.of(batch, order.keys());
    long[] prefixes = new long[rowCount];
    order.prefixes(columns, rowCount, prefixes);
    int[] selection = batch.selection();
    int[] kept = new int[rowCount];
    int count = 0;
    for (int row = 0; row < rowCount; row++) {
      int byPrefix = Long.compareUnsigned(prefixes[row], lastPrefix);
      if (byPrefix < 0 || byPrefix == 0 && order.compare(columns, row, bestColumns, last) < 0) {
        kept[count++] = selection == null ? row : selection[row];
      }
    }
    if (count == 0) {
      batch.close();
      return null;
    }
    return batch.withSelection(kept, count).compact(context.allocator());
  }

  private void beginSort() {
    List<Batch> all = new ArrayList<>();
    if (best != null) {
      all.add(best);
      best = null;
      bestColumns = null;
    }
    all.addAll(candidates);
    candidates.clear();
    concatenation = new RowConcatenation(schema, all, context.allocator());
    sortingBytes =
        concatenation.bytes()
            + concatenation.extraBytes()
            + RowSorter.extraBytes(concatenation.rowCount());
  }

  private void keepBest() {
    int count = (int) Math.min(keepRows, sorter.rowCount());
    best = sorter.rows(0, count);
    bestColumns = SortColumns.of(best, order.keys());
    long[] all = new long[count];
    order.prefixes(bestColumns, count, all);
    lastPrefix = count == 0 ? 0 : all[count - 1];
    sorter.close();
    sorter = null;
    candidateRows = 0;
    candidateBytes = 0;
    context.memory().settle(bestBytes());
  }

  private Step output() {
    long end = best == null ? 0 : Math.min(best.rowCount(), keepRows);
    if (outputRow >= end) {
      return Step.FINISHED;
    }
    long bytesPerRow = best.retainedBytes() / best.rowCount();
    int count = (int) Math.min(end - outputRow, context.rowsPerBatch(bytesPerRow));
    Batch batch = best.slice((int) outputRow, count);
    outputRow += count;
    return new Step.Output(batch);
  }

  @Override
  public void close() {
    if (pending != null) {
      pending.close();
      pending = null;
    }
    candidates.forEach(Batch::close);
    candidates.clear();
    if (concatenation != null) {
      concatenation.close();
      concatenation = null;
    }
    if (sorter != null) {
      sorter.close();
      sorter = null;
    }
    if (best != null) {
      best.close();
      best = null;
    }
  }
}
