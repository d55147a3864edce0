package io.millrace.exec.operator.sort;

import io.millrace.core.batch.Batch;
import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.Concatenation;
import io.millrace.core.batch.Gather;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.plan.OrderKey;
import io.millrace.core.spi.Step;
import io.millrace.core.type.Schema;
import io.millrace.exec.pipeline.OperatorContext;
import io.millrace.exec.pipeline.SourceOperator;
import java.util.ArrayList;
import java.util.List;

/** Merges sorted inputs into one sorted output; of equal rows the earlier input's comes first. */
public final class SortedMerge implements SourceOperator {

  /** A sorted input; see {@code BatchSource}. */
  public interface Input extends AutoCloseable {
    /** Output, Blocked or Finished. */
    Step poll();

    @Override
    void close();
  }

  private final Schema schema;
  private final RowOrder order;
  private final List<Cursor> cursors = new ArrayList<>();
  private OperatorContext context;

  /** Cursors with a row, as a heap: the least is first. */
  private final List<Cursor> heap = new ArrayList<>();

  private boolean closed;

  /** Where the merge stands in one input. */
  private static final class Cursor {
    private final int number;
    private final Input input;
    private Batch batch;
    private SortColumns columns;
    private int row;

    /** First row that is not yet put out. */
    private int sentRow;

    private boolean finished;

    Cursor(int number, Input input) {
      this.number = number;
      this.input = input;
    }
  }

  /** Takes ownership of the inputs. */
  public SortedMerge(Schema schema, List<OrderKey> keys, List<? extends Input> inputs) {
    this.schema = schema;
    this.order = new RowOrder(schema, keys);
    for (Input input : inputs) {
      cursors.add(new Cursor(cursors.size(), input));
    }
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
  public Step advance() {
    for (Cursor cursor : cursors) {
      while (cursor.batch == null && !cursor.finished) {
        Step.Blocked blocked = fill(cursor);
        if (blocked != null) {
          return blocked;
        }
      }
    }
    if (heap.isEmpty()) {
      return Step.FINISHED;
    }
    return new Step.Output(heap.size() == 1 ? rest(heap.get(0)) : merged());
  }

  private Step.Blocked fill(Cursor cursor) {
    switch (cursor.input.poll()) {
      case Step.Output output -> {
        Batch batch = output.batch();
        if (batch.rowCount() == 0) {
          batch.close();
        } else {
          cursor.batch = batch.withSchema(schema).compact(context.allocator());
          cursor.columns = SortColumns.of(cursor.batch, order.keys());
          cursor.row = 0;
          cursor.sentRow = 0;
          push(cursor);
        }
      }
      case Step.Blocked blocked -> {
        return blocked;
      }
      case Step.Finished finished -> cursor.finished = true;
      case Step.NeedInput needInput ->
          throw new MillraceException(ErrorCode.INTERNAL_ERROR, "A source asked for input.");
    }
    return null;
  }

  /** Only one input has rows: its batch goes on as it is. */
  private Batch rest(Cursor cursor) {
    Batch batch = cursor.batch;
    cursor.batch = null;
    heap.clear();
    if (cursor.row == 0) {
      return batch;
    }
    try (batch) {
      return batch.slice(cursor.row, batch.rowCount() - cursor.row);
    }
  }

  /** Merges until a batch is full or an input needs its next batch. */
  private Batch merged() {
    Cursor first = heap.get(0);
    long bytesPerRow = first.batch.retainedBytes() / first.batch.rowCount();
    int limit = context.rowsPerBatch(bytesPerRow);
    int[] origins = new int[limit];
    int count = 0;
    boolean exhausted = false;
    while (count < limit && !exhausted) {
      Cursor least = heap.get(0);
      origins[count++] = least.number;
      least.row++;
      exhausted = least.row >= least.batch.rowCount();
      if (exhausted) {
        removeFirst();
      } else {
        siftDown(0);
      }
    }
    try {
      return gather(origins, count);
    } finally {
      for (Cursor cursor : cursors) {
        cursor.sentRow = cursor.row;
        if (cursor.batch != null && cursor.row >= cursor.batch.rowCount()) {
          cursor.batch.close();
          cursor.batch = null;
        }
      }
    }
  }

  /** The rows taken from each input, one after the other, then in the order of the merge. */
  private Batch gather(int[] origins, int count) {
    List<Batch> slices = new ArrayList<>();
    List<ColumnVector> columns = new ArrayList<>(schema.size());
    int[] places = new int[cursors.size()];
    int place = 0;
    try {
      for (Cursor cursor : cursors) {
        places[cursor.number] = place;
        if (cursor.batch != null && cursor.row > cursor.sentRow) {
          slices.add(cursor.batch.slice(cursor.sentRow, cursor.row - cursor.sentRow));
          place += cursor.row - cursor.sentRow;
        }
      }
      int[] rows = new int[count];
      for (int index = 0; index < count; index++) {
        rows[index] = places[origins[index]]++;
      }
      for (int index = 0; index < schema.size(); index++) {
        int column = index;
        try (ColumnVector joined =
            Concatenation.of(
                slices.stream().map(slice -> slice.column(column)).toList(), context.allocator())) {
          columns.add(Gather.rows(joined, rows, count, context.allocator()));
        }
      }
    } catch (RuntimeException | Error failure) {
      columns.forEach(ColumnVector::close);
      throw failure;
    } finally {
      slices.forEach(Batch::close);
    }
    return new Batch(schema, columns, count);
  }

  private boolean isBefore(Cursor left, Cursor right) {
    int compared = order.compare(left.columns, left.row, right.columns, right.row);
    return compared < 0 || compared == 0 && left.number < right.number;
  }

  private void push(Cursor cursor) {
    heap.add(cursor);
    int index = heap.size() - 1;
    while (index > 0 && isBefore(heap.get(index), heap.get((index - 1) / 2))) {
      swap(index, (index - 1) / 2);
      index = (index - 1) / 2;
    }
  }

  private void removeFirst() {
    Cursor last = heap.removeLast();
    if (!heap.isEmpty()) {
      heap.set(0, last);
      siftDown(0);
    }
  }

  private void siftDown(int from) {
    int index = from;
    while (true) {
      int least = index;
      for (int child = 2 * index + 1; child <= 2 * index + 2; child++) {
        if (child < heap.size() && isBefore(heap.get(child), heap.get(least))) {
          least = child;
        }
      }
      if (least == index) {
        return;
      }
      swap(index, least);
      index = least;
    }
  }

  private void swap(int left, int right) {
    Cursor moved = heap.get(left);
    heap.set(left, heap.get(right));
    heap.set(right, moved);
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    heap.clear();
    for (Cursor cursor : cursors) {
      if (cursor.batch != null) {
        cursor.batch.close();
        cursor.batch = null;
      }
      cursor.input.close();
    }
  }
}
