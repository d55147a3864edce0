package io.millrace.exec.operator.row;

import io.millrace.core.batch.Batch;
import io.millrace.exec.pipeline.OperatorContext;
import java.util.ArrayList;
import java.util.List;

/**
 * Input batches that a stage keeps, without selections. Their bytes are the stage's state: call
 * {@link #add} from addInput and {@link #compactLast} from the next advance.
 */
public final class RowBuffer implements AutoCloseable {
  private final List<Batch> batches = new ArrayList<>();
  private OperatorContext context;
  private long rowCount;

  /** Before the first use. */
  public void open(OperatorContext operatorContext) {
    context = operatorContext;
  }

  /** Keeps an input batch; never fails. */
  public void add(Batch batch) {
    context.memory().keepInput();
    rowCount += batch.rowCount();
    batches.add(batch);
  }

  public long rowCount() {
    return rowCount;
  }

  /** Drops rows that the batch added last does not select, and gives their bytes back. */
  public void compactLast() {
    if (batches.isEmpty() || !batches.getLast().hasSelection()) {
      return;
    }
    Batch last = batches.removeLast();
    long before = last.retainedBytes();
    Batch compact = last.compact(context.allocator());
    long after = compact.retainedBytes();
    batches.add(compact);
    if (after < before) {
      context.memory().settle(context.memory().stateBytes() - (before - after));
    }
  }

  /** The batches, owned by the caller from now on; the buffer is empty afterwards. */
  public List<Batch> take() {
    List<Batch> taken = List.copyOf(batches);
    batches.clear();
    rowCount = 0;
    return taken;
  }

  @Override
  public void close() {
    batches.forEach(Batch::close);
    batches.clear();
    rowCount = 0;
  }
}
