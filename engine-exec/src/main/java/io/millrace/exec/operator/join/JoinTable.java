package io.millrace.exec.operator.join;

import io.millrace.core.batch.Batch;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/**
 * The build side of a join: its rows, the numbers of its distinct keys, and for each number the
 * rows with that key, in build order. Read by many threads; only the match marks are written, and
 * only ever to one.
 */
public final class JoinTable implements BuildSide {
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;

  private final Batch rows;
  private final KeyNumbers keys;
  private final ArrowBuf startBuffer;
  private final ArrowBuf rowBuffer;
  private final ArrowBuf markBuffer;
  private final MemorySegment starts;
  private final MemorySegment rowsByKey;
  private final MemorySegment marks;
  private final boolean unique;
  private boolean closed;

  /**
   * Takes ownership of all parts.
   *
   * @param starts int32 per key number and one more: where its rows begin in {@code rowsByKey};
   *     null with {@code rowsByKey} when each row's number is its key's
   * @param marks one byte a row when matches are to be marked, else null
   */
  JoinTable(Batch rows, KeyNumbers keys, ArrowBuf starts, ArrowBuf rowsByKey, ArrowBuf marks) {
    this.rows = rows;
    this.keys = keys;
    this.startBuffer = starts;
    this.rowBuffer = rowsByKey;
    this.markBuffer = marks;
    this.starts = starts == null ? null : segment(starts);
    this.rowsByKey = rowsByKey == null ? null : segment(rowsByKey);
    this.marks = marks == null ? null : segment(marks);
    this.unique =
        starts == null
            ? keys.size() == rows.rowCount()
            : keys.size() == this.starts.get(INT, 4L * keys.size());
  }

  static ArrowBuf ints(long count, BufferAllocator allocator) {
    return allocator.buffer(4 * Math.max(1, count));
  }

  static MemorySegment segment(ArrowBuf buffer) {
    return MemorySegment.ofAddress(buffer.memoryAddress()).reinterpret(buffer.capacity());
  }

  /** Build rows, without selection; stay owned by the table. */
  Batch rows() {
    return rows;
  }

  int rowCount() {
    return rows.rowCount();
  }

  /** Bytes held beside the rows. */
  long extraBytes() {
    return keys.bytes()
        + (startBuffer == null ? 0 : startBuffer.capacity() + rowBuffer.capacity())
        + (markBuffer == null ? 0 : markBuffer.capacity());
  }

  /** Whether every key has one row. */
  boolean isUnique() {
    return unique;
  }

  /** The key number of each selected row, −1 without match. */
  void find(Batch probe, List<Integer> columns, KeyNumbers.Scratch scratch, int[] found) {
    keys.find(probe, columns, scratch, found);
  }

  /** Where the rows of a key begin. */
  int start(int number) {
    return starts == null ? number : starts.get(INT, 4L * number);
  }

  int end(int number) {
    return starts == null ? number + 1 : starts.get(INT, 4L * number + 4);
  }

  /** A build row by its place among the rows by key. */
  int row(int place) {
    return rowsByKey == null ? place : rowsByKey.get(INT, 4L * place);
  }

  /** Says that a build row has a match; several threads may write the same byte. */
  void mark(int row) {
    marks.set(ValueLayout.JAVA_BYTE, row, (byte) 1);
  }

  boolean isMarked(int row) {
    return marks.get(ValueLayout.JAVA_BYTE, row) != 0;
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      rows.close();
      keys.close();
      if (startBuffer != null) {
        startBuffer.close();
        rowBuffer.close();
      }
      if (markBuffer != null) {
        markBuffer.close();
      }
    }
  }
}
