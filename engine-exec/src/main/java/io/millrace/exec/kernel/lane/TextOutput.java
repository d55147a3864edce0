package io.millrace.exec.kernel.lane;

import io.millrace.core.batch.FlatVector;
import io.millrace.core.batch.GrowingBuffer;
import io.millrace.core.batch.Layouts;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.type.DataType;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Writes a new column of text or binary, row by row in ascending order; rows left out are empty.
 * Close without finish releases it. Not thread-safe.
 */
public final class TextOutput implements AutoCloseable {
  private final DataType type;
  private final int length;
  private final BufferAllocator allocator;
  private final GrowingBuffer bytes;
  private final MemorySegment offsets;
  private ArrowBuf offsetBuffer;
  private int nextRow;

  public TextOutput(DataType type, int length, BufferAllocator allocator) {
    this.type = type;
    this.length = length;
    this.allocator = allocator;
    this.bytes = new GrowingBuffer(allocator);
    this.offsetBuffer = allocator.buffer(4L * length + 4);
    this.offsets =
        MemorySegment.ofAddress(offsetBuffer.memoryAddress()).reinterpret(offsetBuffer.capacity());
    offsets.set(Layouts.INT32, 0, 0);
  }

  /** Starts a row; those since the last one stay empty. */
  public void begin(int row) {
    int size = (int) bytes.size();
    while (nextRow < row) {
      nextRow++;
      offsets.set(Layouts.INT32, 4L * nextRow, size);
    }
  }

  /** Ends the row that was begun. */
  public void end(int row) {
    if (bytes.size() > Integer.MAX_VALUE) {
      throw new MillraceException(
          ErrorCode.VALUE_TOO_LARGE,
          "A column of a batch holds more than 2 GiB; lower batch.rows: " + bytes.size());
    }
    nextRow = row + 1;
    offsets.set(Layouts.INT32, 4L * nextRow, (int) bytes.size());
  }

  /** Appends a range of bytes to the row. */
  public void append(MemorySegment source, long from, long count) {
    bytes.appendBytes(source, from, count);
  }

  public void append(byte value) {
    bytes.appendInt8(value);
  }

  public void append(String text) {
    byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
    bytes.appendBytes(encoded, 0, encoded.length);
  }

  /** Room for this many bytes at the returned place of {@link #memory}; then {@link #advance}. */
  public long reserve(long count) {
    bytes.reserve(count);
    return bytes.size();
  }

  /** The bytes written so far; changes on reserve and append. */
  public MemorySegment memory() {
    return bytes.segment();
  }

  /** Says that so many reserved bytes were written. */
  public void advance(long count) {
    bytes.advance(count);
  }

  /** The column, owned by the caller. */
  public FlatVector finish(ValidityMask mask) {
    begin(length);
    ArrowBuf validity = mask.buffer(allocator);
    ArrowBuf givenOffsets = offsetBuffer;
    offsetBuffer = null;
    return FlatVector.ofVariableWidth(
        type, length, validity == null ? 0 : -1, validity, givenOffsets, bytes.finish());
  }

  @Override
  public void close() {
    bytes.close();
    if (offsetBuffer != null) {
      offsetBuffer.close();
      offsetBuffer = null;
    }
  }
}
