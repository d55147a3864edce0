package io.millrace.exec.operator.sort;

import io.millrace.core.batch.Batch;
import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.Gather;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Sorts the rows of one batch, stably, in bounded steps: pieces first, then merges of neighbours.
 * An entry is the prefix and the row, 16 bytes off-heap.
 */
final class RowSorter implements AutoCloseable {
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
  private static final int ENTRY_BYTES = 16;

  /** Rows sorted, or merged, in one step. */
  private static final int STEP_ROWS = 32_768;

  private final Batch batch;
  private final RowOrder order;
  private final BufferAllocator allocator;
  private final SortColumns columns;
  private final int rowCount;
  private ArrowBuf fromBuffer;
  private ArrowBuf toBuffer;
  private MemorySegment from;
  private MemorySegment to;
  private long[] prefixes;
  private int sortedRows;

  // The merge pass: runs of this many rows are in order.
  private long runRows = STEP_ROWS;
  private int mergeStart;
  private int leftRow;
  private int rightRow;
  private int target;

  /** Bytes that sorting takes beside the rows. */
  static long extraBytes(long rowCount) {
    return 2L * ENTRY_BYTES * rowCount + 12L * rowCount;
  }

  /**
   * Takes ownership of the batch.
   *
   * @param batch without selection
   */
  RowSorter(Batch batch, RowOrder order, BufferAllocator allocator) {
    this.batch = batch;
    this.order = order;
    this.allocator = allocator;
    this.columns = SortColumns.of(batch, order.keys());
    this.rowCount = batch.rowCount();
  }

  int rowCount() {
    return rowCount;
  }

  /** Does a bounded part of the work; whether all is in order now. */
  boolean step() {
    if (prefixes == null) {
      prefixes = new long[rowCount];
      order.prefixes(columns, rowCount, prefixes);
      fromBuffer = allocator.buffer(Math.max(1, (long) ENTRY_BYTES * rowCount));
      toBuffer = allocator.buffer(Math.max(1, (long) ENTRY_BYTES * rowCount));
      from = segment(fromBuffer);
      to = segment(toBuffer);
      return rowCount == 0;
    }
    if (sortedRows < rowCount) {
      int count = Math.min(STEP_ROWS, rowCount - sortedRows);
      sortPiece(sortedRows, count);
      sortedRows += count;
      beginMerge(0);
      return sortedRows == rowCount && runRows >= rowCount;
    }
    mergeSome();
    return runRows >= rowCount;
  }

  private static MemorySegment segment(ArrowBuf buffer) {
    return MemorySegment.ofAddress(buffer.memoryAddress()).reinterpret(buffer.capacity());
  }

  private void sortPiece(int start, int count) {
    int[] rows = new int[count];
    for (int index = 0; index < count; index++) {
      rows[index] = start + index;
    }
    int[] scratch = rows.clone();
    sort(scratch, rows, 0, count);
    for (int index = 0; index < count; index++) {
      long at = (long) ENTRY_BYTES * (start + index);
      from.set(LONG, at, prefixes[rows[index]]);
      from.set(LONG, at + 8, rows[index]);
    }
  }

  /** Sorts a range of {@code target}; {@code source} holds the same rows there. */
  private void sort(int[] source, int[] sorted, int low, int high) {
    if (high - low <= 8) {
      for (int index = low + 1; index < high; index++) {
        int row = sorted[index];
        int place = index;
        while (place > low && compare(sorted[place - 1], row) > 0) {
          sorted[place] = sorted[place - 1];
          place--;
        }
        sorted[place] = row;
      }
      return;
    }
    int middle = low + high >>> 1;
    sort(sorted, source, low, middle);
    sort(sorted, source, middle, high);
    if (compare(source[middle - 1], source[middle]) <= 0) {
      System.arraycopy(source, low, sorted, low, high - low);
      return;
    }
    int left = low;
    int right = middle;
    for (int index = low; index < high; index++) {
      boolean takeLeft =
          right >= high || left < middle && compare(source[left], source[right]) <= 0;
      sorted[index] = takeLeft ? source[left++] : source[right++];
    }
  }

  private int compare(int left, int right) {
    int byPrefix = Long.compareUnsigned(prefixes[left], prefixes[right]);
    return byPrefix != 0 ? byPrefix : order.compare(columns, left, columns, right);
  }

  private void beginMerge(int start) {
    mergeStart = start;
    leftRow = start;
    rightRow = (int) Math.min(rowCount, start + runRows);
    target = start;
  }

  /** Merges up to a step's rows of the current pair of runs, or begins the next pair or pass. */
  private void mergeSome() {
    int middle = (int) Math.min(rowCount, mergeStart + runRows);
    int end = (int) Math.min(rowCount, mergeStart + 2 * runRows);
    int stop = Math.min(end, target + STEP_ROWS);
    while (target < stop) {
      boolean takeLeft =
          rightRow >= end || leftRow < middle && compareEntries(leftRow, rightRow) <= 0;
      int taken = takeLeft ? leftRow++ : rightRow++;
      MemorySegment.copy(
          from, (long) ENTRY_BYTES * taken, to, (long) ENTRY_BYTES * target, ENTRY_BYTES);
      target++;
    }
    if (target < end) {
      return;
    }
    if (end < rowCount) {
      beginMerge(end);
      return;
    }
    MemorySegment merged = to;
    to = from;
    from = merged;
    runRows *= 2;
    beginMerge(0);
  }

  private int compareEntries(int left, int right) {
    long leftAt = (long) ENTRY_BYTES * left;
    long rightAt = (long) ENTRY_BYTES * right;
    int byPrefix = Long.compareUnsigned(from.get(LONG, leftAt), from.get(LONG, rightAt));
    return byPrefix != 0
        ? byPrefix
        : order.compare(
            columns, (int) from.get(LONG, leftAt + 8), columns, (int) from.get(LONG, rightAt + 8));
  }

  /** A range of the sorted rows as a batch owned by the caller; legal once all is in order. */
  Batch rows(int first, int count) {
    int[] rows = new int[count];
    for (int index = 0; index < count; index++) {
      rows[index] = (int) from.get(LONG, (long) ENTRY_BYTES * (first + index) + 8);
    }
    List<ColumnVector> gathered = new ArrayList<>(batch.columnCount());
    try {
      for (ColumnVector column : batch.columns()) {
        gathered.add(Gather.rows(column, rows, count, allocator));
      }
    } catch (RuntimeException | Error failure) {
      gathered.forEach(ColumnVector::close);
      throw failure;
    }
    return new Batch(batch.schema(), gathered, count);
  }

  /** Bytes of a row on average. */
  long bytesPerRow() {
    return batch.retainedBytes() / Math.max(1, rowCount);
  }

  @Override
  public void close() {
    batch.close();
    if (fromBuffer != null) {
      fromBuffer.close();
      fromBuffer = null;
    }
    if (toBuffer != null) {
      toBuffer.close();
      toBuffer = null;
    }
    prefixes = null;
  }
}
