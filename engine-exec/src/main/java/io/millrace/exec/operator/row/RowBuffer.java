package io.millrace.exec.operator.row;

import io.millrace.core.batch.Batch;
import io.millrace.core.batch.DictionaryVector;
import io.millrace.exec.pipeline.OperatorContext;
import java.util.ArrayList;
import java.util.List;

/**
 * Input batches that a stage keeps, without selections. Their bytes are the stage's state: call
 * {@link #add} from addInput and {@link #settleLast} from the next advance.
 */
public final class RowBuffer implements AutoCloseable {
  /** A batch is copied when it keeps this many times its rows' bytes alive, and a little more. */
  private static final int COPY_FACTOR = 2;

  private static final long COPY_FLOOR_BYTES = 16_384;

  private final List<Batch> batches = new ArrayList<>();
  private boolean lastIsSettled;
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
    lastIsSettled = false;
    batches.add(batch);
  }

  public long rowCount() {
    return rowCount;
  }

  /**
   * Makes the batch added last worth its bytes: drops rows that it does not select, copies it when
   * it is a small part of what it keeps alive, and does not count a dictionary twice. What that
   * saves is given back.
   */
  public void settleLast() {
    if (batches.isEmpty() || lastIsSettled) {
      return;
    }
    lastIsSettled = true;
    Batch last = batches.removeLast();
    long before = last.retainedBytes();
    Batch kept = last.hasSelection() ? last.compact(context.allocator()) : last;
    if (kept.retainedBytes() > COPY_FACTOR * RowBytes.of(kept) + COPY_FLOOR_BYTES) {
      kept = copy(kept);
    }
    long after = kept.retainedBytes() - sharedDictionaryBytes(kept);
    batches.add(kept);
    if (after < before) {
      context.memory().settle(context.memory().stateBytes() - (before - after));
    }
  }

  /** A copy of the rows alone; consumes the batch. */
  private Batch copy(Batch batch) {
    int[] all = new int[batch.rowCount()];
    for (int row = 0; row < all.length; row++) {
      all[row] = row;
    }
    return batch.withSelection(all, all.length).compact(context.allocator());
  }

  /** Bytes of dictionaries that the batch before has too. */
  private long sharedDictionaryBytes(Batch batch) {
    if (batches.isEmpty()) {
      return 0;
    }
    long bytes = 0;
    for (int column = 0; column < batch.columnCount(); column++) {
      if (batch.column(column) instanceof DictionaryVector coded
          && batches.getLast().column(column) instanceof DictionaryVector earlier
          && coded.sameDictionary(earlier)) {
        bytes += coded.dictionary().retainedBytes();
      }
    }
    return bytes;
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
