package io.millrace.exec.kernel.aggregate;

import java.lang.foreign.MemorySegment;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/** A fixed number of bytes for each group, off-heap, zero for new groups. Grows by doubling. */
final class GroupMemory implements AutoCloseable {
  private static final int FIRST_GROUPS = 64;

  private final BufferAllocator allocator;
  private final int bytesPerGroup;
  private ArrowBuf buffer;
  private MemorySegment segment = MemorySegment.NULL;

  GroupMemory(int bytesPerGroup, BufferAllocator allocator) {
    this.bytesPerGroup = bytesPerGroup;
    this.allocator = allocator;
  }

  /** Makes room; contents of earlier groups are kept. */
  void resize(int groupCount) {
    long needed = (long) groupCount * bytesPerGroup;
    if (needed <= segment.byteSize()) {
      return;
    }
    long bytes =
        Math.max(needed, Math.max(segment.byteSize() * 2, (long) FIRST_GROUPS * bytesPerGroup));
    ArrowBuf larger = allocator.buffer(bytes);
    MemorySegment target =
        MemorySegment.ofAddress(larger.memoryAddress()).reinterpret(larger.capacity());
    long kept = segment.byteSize();
    MemorySegment.copy(segment, 0, target, 0, kept);
    target.asSlice(kept).fill((byte) 0);
    close();
    buffer = larger;
    segment = target;
  }

  /** The memory; changes on resize. */
  MemorySegment segment() {
    return segment;
  }

  long bytes() {
    return segment.byteSize();
  }

  @Override
  public void close() {
    if (buffer != null) {
      buffer.close();
      buffer = null;
      segment = MemorySegment.NULL;
    }
  }
}
