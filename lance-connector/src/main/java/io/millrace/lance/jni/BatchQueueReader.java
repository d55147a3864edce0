package io.millrace.lance.jni;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * The stream that a native writer pulls from, filled from another thread. Bounded by bytes: a
 * producer is told when to wait by a future, never blocked.
 */
final class BatchQueueReader extends ArrowReader {
  private final Schema schema;
  private final long limitBytes;
  private final Queue<ArrowRecordBatch> queue = new ArrayDeque<>();
  private long queuedBytes;
  private long readBytes;
  private boolean ended;
  private boolean aborted;
  private CompletableFuture<Void> space = CompletableFuture.completedFuture(null);

  BatchQueueReader(BufferAllocator allocator, Schema schema, long limitBytes) {
    super(allocator);
    this.schema = schema;
    this.limitBytes = limitBytes;
  }

  /**
   * Adds a batch, which this takes over; it is closed at once when the stream has ended or was
   * aborted.
   *
   * @return completes when the next batch may be offered
   */
  synchronized CompletableFuture<Void> offer(ArrowRecordBatch batch) {
    if (ended || aborted) {
      batch.close();
      return CompletableFuture.completedFuture(null);
    }
    queue.add(batch);
    queuedBytes += batch.computeBodyLength();
    if (queuedBytes >= limitBytes && space.isDone()) {
      space = new CompletableFuture<>();
    }
    notifyAll();
    return space;
  }

  /** Says that no batch follows. */
  synchronized void end() {
    ended = true;
    notifyAll();
  }

  /** Makes the native writer fail at its next read and drops what waits. */
  void abort() {
    CompletableFuture<Void> waiting;
    synchronized (this) {
      aborted = true;
      queue.forEach(ArrowRecordBatch::close);
      queue.clear();
      queuedBytes = 0;
      waiting = space;
      notifyAll();
    }
    waiting.complete(null);
  }

  @Override
  public boolean loadNextBatch() throws IOException {
    ArrowRecordBatch batch;
    CompletableFuture<Void> freed = null;
    synchronized (this) {
      awaitBatch();
      if (aborted) {
        throw new IOException("The write was given up");
      }
      batch = queue.poll();
      if (batch != null) {
        queuedBytes -= batch.computeBodyLength();
        readBytes += batch.computeBodyLength();
        if (queuedBytes < limitBytes) {
          freed = space;
        }
      }
    }
    if (freed != null) {
      freed.complete(null); // Outside the lock: it may run the producer's next step.
    }
    try {
      prepareLoadNextBatch();
    } catch (IOException | RuntimeException | Error failure) {
      if (batch != null) {
        batch.close();
      }
      throw failure;
    }
    if (batch == null) {
      return false;
    }
    loadRecordBatch(batch);
    return true;
  }

  private synchronized void awaitBatch() throws IOException {
    try {
      while (queue.isEmpty() && !ended && !aborted) {
        wait();
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException("The write was interrupted", interrupted);
    }
  }

  @Override
  public synchronized long bytesRead() {
    return readBytes;
  }

  @Override
  protected void closeReadSource() {
    abort();
  }

  @Override
  protected Schema readSchema() {
    return schema;
  }
}
