package io.millrace.exec.operator.join;

import io.millrace.core.batch.Batch;
import io.millrace.exec.operator.key.KeyRows;
import io.millrace.exec.operator.key.KeyTable;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/**
 * The build side of a join: its rows, the numbers of its distinct keys, and for each number the
 * rows with that key, in build order. Read by many threads; only the match marks are written, and
 * only ever to one.
 */
public final class JoinTable implements AutoCloseable {
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;

  private final Batch rows;
  private final KeyTable keys;
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
   * @param starts int32 per key number and one more: where its rows begin in {@code rowsByKey}
   * @param marks one byte a row when matches are to be marked, else null
   */
  JoinTable(Batch rows, KeyTable keys, ArrowBuf starts, ArrowBuf rowsByKey, ArrowBuf marks) {
    this.rows = rows;
    this.keys = keys;
    this.startBuffer = starts;
    this.rowBuffer = rowsByKey;
    this.markBuffer = marks;
    this.starts = segment(starts);
    this.rowsByKey = segment(rowsByKey);
    this.marks = marks == null ? null : segment(marks);
    this.unique = keys.size() == matchableRows();
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
        + startBuffer.capacity()
        + rowBuffer.capacity()
        + (markBuffer == null ? 0 : markBuffer.capacity());
  }

  private int matchableRows() {
    return starts.get(INT, 4L * keys.size());
  }

  /** Whether every key has one row. */
  boolean isUnique() {
    return unique;
  }

  /** The key number of each encoded row, −1 without match. */
  void find(KeyRows probe, int[] numbers) {
    keys.find(probe, numbers);
  }

  /** Where the rows of a key begin. */
  int start(int number) {
    return starts.get(INT, 4L * number);
  }

  int end(int number) {
    return starts.get(INT, 4L * number + 4);
  }

  /** A build row by its place among the rows by key. */
  int row(int place) {
    return rowsByKey.get(INT, 4L * place);
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
      startBuffer.close();
      rowBuffer.close();
      if (markBuffer != null) {
        markBuffer.close();
      }
    }
  }
}
