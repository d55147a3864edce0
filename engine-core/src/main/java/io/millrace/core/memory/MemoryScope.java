package io.millrace.core.memory;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import org.apache.arrow.memory.BufferAllocator;

/**
 * The memory of a query, of a task in it, or of an operator in that: an allocator named by its path
 * and a door to the pool. Closed inside out; closing one that still holds memory fails.
 *
 * <p>A batch stays charged to the allocator that made it: what outlives its maker is moved with
 * {@link io.millrace.core.batch.Batch#transferTo}.
 */
public final class MemoryScope implements AutoCloseable {
  private final String path;
  private final MemoryPool pool;
  private final long query;
  private final BufferAllocator allocator;
  private boolean closed;

  private MemoryScope(String path, MemoryPool pool, long query, BufferAllocator allocator) {
    this.path = path;
    this.pool = pool;
    this.query = query;
    this.allocator = allocator;
  }

  static MemoryScope open(String path, MemoryPool pool, long query, BufferAllocator parent) {
    return new MemoryScope(path, pool, query, parent.newChildAllocator(path, 0, Long.MAX_VALUE));
  }

  /** A scope inside this one, closed by the caller before this one. */
  public MemoryScope open(String name) {
    return open(path + "/" + name, pool, query, allocator);
  }

  /** Names from the query down, joined by slashes. */
  public String path() {
    return path;
  }

  /** Owned by this scope. */
  public BufferAllocator allocator() {
    return allocator;
  }

  public MemoryPool pool() {
    return pool;
  }

  /** A reservation named by this scope's path, closed by the caller. */
  public Reservation openReservation(RevocableOwner revocable) {
    return pool.openReservation(path, query, revocable);
  }

  /**
   * Closes the allocator; again does nothing.
   *
   * @throws MillraceException OWNERSHIP_VIOLATION when memory leaked
   */
  @Override
  public void close() {
    if (!closed) {
      closed = true;
      closeChecked(allocator);
    }
  }

  static void closeChecked(BufferAllocator allocator) {
    try {
      allocator.close();
    } catch (IllegalStateException leak) {
      throw new MillraceException(
          ErrorCode.OWNERSHIP_VIOLATION,
          "Memory was not released: "
              + allocator.getName()
              + ", "
              + allocator.getAllocatedMemory()
              + " bytes",
          leak);
    }
  }

  @Override
  public String toString() {
    return "memory of " + path;
  }
}
