package io.millrace.core.memory;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

/** The memory of one process: one budget and one root allocator; made once and passed in. */
public final class RootMemory implements AutoCloseable {
  /**
   * How far allocations may pass the budget, because a batch may be a little larger than was
   * reserved for it. Beyond it an allocation fails with MEMORY_EXHAUSTED.
   */
  static final long OVERSHOOT_BYTES = 128L << 20;

  private final MemoryPool pool;
  private final RootAllocator allocator;
  private boolean closed;

  public RootMemory(long budgetBytes) {
    this(new MemoryPool(budgetBytes));
  }

  public RootMemory(MemoryPool pool) {
    this.pool = pool;
    long limit = pool.limitBytes() + OVERSHOOT_BYTES;
    this.allocator = new RootAllocator(limit < 0 ? Long.MAX_VALUE : limit);
  }

  public MemoryPool pool() {
    return pool;
  }

  public BufferAllocator allocator() {
    return allocator;
  }

  /** The memory of a query, closed by the caller; younger queries give way first. */
  public MemoryScope openQuery(String name) {
    return MemoryScope.open(name, pool, pool.nextQuery(), allocator);
  }

  /**
   * Closes the root allocator; again does nothing.
   *
   * @throws io.millrace.core.error.MillraceException OWNERSHIP_VIOLATION when memory leaked
   */
  @Override
  public void close() {
    if (!closed) {
      closed = true;
      MemoryScope.closeChecked(allocator);
    }
  }
}
