package io.millrace.exec.bridge;

import io.millrace.core.batch.Batch;
import io.millrace.core.memory.Reservation;
import io.millrace.core.spi.Step;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;

/**
 * Batches between pipelines, bounded by bytes. Producers wait for {@link #ready} before they ask
 * for input, so each may put one batch over the limit. Any number of producers and consumers; each
 * batch goes to one consumer. Thread-safe.
 */
public final class BatchQueue implements AutoCloseable {
  private record Entry(Batch batch, long bytes) {}

  private static final CompletableFuture<Void> NOW = CompletableFuture.completedFuture(null);

  private final long limitBytes;
  private final Reservation reservation;

  // Guarded by this.
  private final Queue<Entry> entries = new ArrayDeque<>();
  private final Signal space = new Signal();
  private final Signal content = new Signal();
  private long bytes;
  private long unreservedBytes;
  private int producers;
  private int consumers;
  private boolean closed;

  /**
   * @param reservation accounts the waiting bytes; when the pool has none to give, the queue counts
   *     as full until it is empty again. Shared with other queues; closed by its owner
   */
  public BatchQueue(long limitBytes, Reservation reservation, int producers, int consumers) {
    this.limitBytes = limitBytes;
    this.reservation = reservation;
    this.producers = producers;
    this.consumers = consumers;
  }

  /** Completed when a batch may be put in now, or when no more are wanted. */
  public synchronized CompletableFuture<Void> ready() {
    boolean full = bytes >= limitBytes || bytes > 0 && unreservedBytes > 0;
    return full && !closed ? space.await() : NOW;
  }

  /** Whether nobody wants more batches. */
  public synchronized boolean isSatisfied() {
    return closed;
  }

  /** Takes a batch, in any case; releases it when nobody wants it. */
  public void put(Batch batch) {
    CompletableFuture<Void> waiting;
    synchronized (this) {
      if (closed) {
        waiting = null;
      } else {
        long batchBytes = batch.retainedBytes();
        if (!reservation.tryReserve(batchBytes)) {
          unreservedBytes += batchBytes;
        }
        bytes += batchBytes;
        entries.add(new Entry(batch.move(), batchBytes));
        waiting = content.take();
      }
    }
    batch.close();
    Signal.wake(waiting);
  }

  /** One producer gives no more. */
  public void producerEnded() {
    CompletableFuture<Void> waiting;
    synchronized (this) {
      producers--;
      waiting = content.take();
    }
    Signal.wake(waiting);
  }

  /** The next batch, Blocked(UPSTREAM), or Finished when all producers ended. */
  public Step poll() {
    Entry entry;
    long reserved;
    CompletableFuture<Void> waiting;
    synchronized (this) {
      entry = entries.poll();
      if (entry == null) {
        return producers <= 0 || closed
            ? Step.FINISHED
            : new Step.Blocked(content.await(), Step.BlockReason.UPSTREAM);
      }
      reserved = taken(entry.bytes());
      waiting = space.take();
    }
    reservation.release(reserved);
    Signal.wake(waiting);
    return new Step.Output(entry.batch());
  }

  /** Whether {@link #poll} would answer Blocked now. */
  public synchronized boolean isWaiting() {
    return entries.isEmpty() && producers > 0 && !closed;
  }

  /**
   * Counts an entry out. Gives the bytes to release, which the caller does without the lock: others
   * go on with them at once, on this thread.
   */
  private long taken(long entryBytes) {
    bytes -= entryBytes;
    long covered = Math.min(unreservedBytes, entryBytes);
    unreservedBytes -= covered;
    return entryBytes - covered;
  }

  /** One consumer takes no more; after the last one the queue is closed. */
  public void consumerEnded() {
    boolean last;
    synchronized (this) {
      consumers--;
      last = consumers <= 0;
    }
    if (last) {
      close();
    }
  }

  /** Releases what waits; later batches are released at once. */
  @Override
  public void close() {
    CompletableFuture<Void> waitingForSpace;
    CompletableFuture<Void> waitingForContent;
    List<Entry> left;
    long reserved = 0;
    synchronized (this) {
      closed = true;
      left = List.copyOf(entries);
      entries.clear();
      for (Entry entry : left) {
        reserved += taken(entry.bytes());
      }
      waitingForSpace = space.take();
      waitingForContent = content.take();
    }
    left.forEach(entry -> entry.batch().close());
    if (reserved > 0) {
      reservation.release(reserved);
    }
    Signal.wake(waitingForSpace);
    Signal.wake(waitingForContent);
  }
}
