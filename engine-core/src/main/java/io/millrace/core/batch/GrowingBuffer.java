package io.millrace.core.batch;

import java.lang.foreign.MemorySegment;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/**
 * A buffer that grows by doubling while it is written. {@link #segment} changes on growth: fetch it
 * after {@link #reserve}. Not thread-safe.
 */
public final class GrowingBuffer implements AutoCloseable {
  private static final long FIRST_BYTES = 64;

  private final BufferAllocator allocator;
  private ArrowBuf buffer;
  private MemorySegment segment = MemorySegment.NULL;
  private long size;

  public GrowingBuffer(BufferAllocator allocator) {
    this.allocator = allocator;
  }

  /** Bytes written. */
  public long size() {
    return size;
  }

  /** Bytes allocated. */
  public long capacity() {
    return segment.byteSize();
  }

  /** The memory, at least as large as the last reserve asked; new bytes hold anything. */
  public MemorySegment segment() {
    return segment;
  }

  /** Makes room for {@code bytes} more after what is written; contents are kept. */
  public void reserve(long bytes) {
    long needed = size + bytes;
    if (needed > segment.byteSize()) {
      grow(Math.max(needed, Math.max(FIRST_BYTES, segment.byteSize() * 2)));
    }
  }

  private void grow(long bytes) {
    ArrowBuf larger = allocator.buffer(bytes);
    MemorySegment target =
        MemorySegment.ofAddress(larger.memoryAddress()).reinterpret(larger.capacity());
    MemorySegment.copy(segment, 0, target, 0, size);
    close(buffer);
    buffer = larger;
    segment = target;
  }

  /** Says that {@code bytes} more were written through the segment. */
  public void advance(long bytes) {
    size += bytes;
  }

  public void appendInt8(byte value) {
    reserve(1);
    segment.set(Layouts.INT8, size, value);
    size += 1;
  }

  public void appendInt16(short value) {
    reserve(2);
    segment.set(Layouts.INT16, size, value);
    size += 2;
  }

  public void appendInt32(int value) {
    reserve(4);
    segment.set(Layouts.INT32, size, value);
    size += 4;
  }

  public void appendInt64(long value) {
    reserve(8);
    segment.set(Layouts.INT64, size, value);
    size += 8;
  }

  public void appendBytes(byte[] source, int from, int count) {
    reserve(count);
    MemorySegment.copy(source, from, segment, Layouts.INT8, size, count);
    size += count;
  }

  public void appendBytes(MemorySegment source, long from, long count) {
    reserve(count);
    MemorySegment.copy(source, from, segment, size, count);
    size += count;
  }

  public void appendZeros(long count) {
    reserve(count);
    segment.asSlice(size, count).fill((byte) 0);
    size += count;
  }

  /**
   * Appends one bit to a bitmap that holds {@code bitCount} so far; this buffer then holds only
   * bits.
   */
  public void appendBit(long bitCount, boolean value) {
    if ((bitCount & 7) == 0) {
      appendInt8((byte) (value ? 1 : 0));
    } else {
      Bits.set(segment, bitCount, value);
    }
  }

  /** The written bytes as a buffer owned by the caller; this one is empty afterwards. */
  public ArrowBuf finish() {
    ArrowBuf result = buffer == null ? allocator.buffer(0) : buffer;
    result.writerIndex(size);
    buffer = null;
    segment = MemorySegment.NULL;
    size = 0;
    return result;
  }

  @Override
  public void close() {
    close(buffer);
    buffer = null;
    segment = MemorySegment.NULL;
    size = 0;
  }

  private static void close(ArrowBuf buffer) {
    if (buffer != null) {
      buffer.close();
    }
  }
}
