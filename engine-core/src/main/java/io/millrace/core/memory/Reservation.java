package io.millrace.core.memory;

import java.util.concurrent.CompletableFuture;

/**
 * The bytes that one owner holds of the pool. Reserving does not allocate: reserve first, then
 * allocate. Thread-safe.
 */
public final class Reservation implements AutoCloseable {
  private final MemoryPool pool;
  private final String owner;
  private final long query;
  private final RevocableOwner revocable;

  // Guarded by the pool's lock.
  long reservedBytes;
  long peakBytes;
  long releaseCount;
  boolean revoking;

  /** The release count when a revocation ended without result; −1 when none did. */
  long fruitlessAt = -1;

  boolean closed;

  Reservation(MemoryPool pool, String owner, long query, RevocableOwner revocable) {
    this.pool = pool;
    this.owner = owner;
    this.query = query;
    this.revocable = revocable;
  }

  /** Who reserves, for messages and reports. */
  public String owner() {
    return owner;
  }

  /** The query that this belongs to; a younger query has a higher number. */
  long query() {
    return query;
  }

  RevocableOwner revocable() {
    return revocable;
  }

  /** Takes the bytes when they are free now; never waits and never asks others. */
  public boolean tryReserve(long bytes) {
    return pool.tryReserve(this, bytes);
  }

  /**
   * Takes the bytes as soon as they are free; asks owners to revoke when the pool is short.
   *
   * <p>The future fails with MEMORY_EXHAUSTED when the bytes can never come, and with CANCELLED
   * when this reservation is closed first. Cancelling the future withdraws the request. Its
   * continuations run on the thread that released: only wake others up there.
   */
  public CompletableFuture<Void> reserve(long bytes) {
    return pool.reserve(this, bytes);
  }

  /**
   * Gives bytes back.
   *
   * @throws io.millrace.core.error.MillraceException INTERNAL_ERROR for more than is reserved
   */
  public void release(long bytes) {
    pool.release(this, bytes);
  }

  /**
   * Sets the whole reservation to this many bytes: releases the surplus, or tries to take what
   * lacks.
   *
   * @return false when more is needed than is free; nothing changes then
   */
  public boolean tryResize(long bytes) {
    return pool.tryResize(this, bytes);
  }

  /** Bytes held now. */
  public long reservedBytes() {
    return pool.reservedBytes(this);
  }

  /** The most bytes that were held at once. */
  public long peakBytes() {
    return pool.peakBytes(this);
  }

  /** Gives all back and withdraws what waits; again does nothing. */
  @Override
  public void close() {
    pool.close(this);
  }

  @Override
  public String toString() {
    return "reservation of " + owner;
  }
}
