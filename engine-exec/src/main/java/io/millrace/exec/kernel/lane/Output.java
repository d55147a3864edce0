package io.millrace.exec.kernel.lane;

import io.millrace.core.batch.FlatVector;
import io.millrace.core.spi.RowSet;
import io.millrace.core.type.DataType;
import java.lang.foreign.MemorySegment;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Writes one result block by block from arrays into a new flat column of fixed width. Between open
 * and finish it holds a buffer: {@link #abandon} releases it when the computation fails. Not
 * thread-safe.
 */
public abstract sealed class Output permits BooleanOutput, DecimalOutput, DoubleOutput, LongOutput {
  private final DataType type;
  private ArrowBuf buffer;
  private MemorySegment target;
  private int length;

  Output(DataType type) {
    this.type = type;
  }

  /** The type of the column. */
  public final DataType type() {
    return type;
  }

  /** Starts a column. */
  public final void open(int rowCount, BufferAllocator allocator) {
    length = rowCount;
    buffer = allocator.buffer(byteCount(rowCount));
    target =
        buffer.capacity() == 0
            ? MemorySegment.NULL
            : MemorySegment.ofAddress(buffer.memoryAddress()).reinterpret(buffer.capacity());
    prepare(target);
  }

  abstract long byteCount(int rowCount);

  void prepare(MemorySegment memory) {}

  /** Where to store. */
  final MemorySegment target() {
    return target;
  }

  /** Writes elements 0 to count − 1 to the rows at positions from {@code from}. */
  public abstract void store(RowSet rows, int from, int count);

  /** The column, owned by the caller; rows never stored hold anything. */
  public final FlatVector finish(ValidityMask mask, BufferAllocator allocator) {
    ArrowBuf validity = mask.buffer(allocator);
    ArrowBuf values = buffer;
    buffer = null;
    return FlatVector.ofFixedWidth(type, length, validity == null ? 0 : -1, validity, values);
  }

  /** Releases what an unfinished column holds. */
  public final void abandon() {
    if (buffer != null) {
      buffer.close();
      buffer = null;
    }
  }
}
