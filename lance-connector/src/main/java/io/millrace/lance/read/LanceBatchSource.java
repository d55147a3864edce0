package io.millrace.lance.read;

import io.millrace.core.batch.Batch;
import io.millrace.core.error.MillraceException;
import io.millrace.core.spi.BatchSource;
import io.millrace.core.spi.Step;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;

/**
 * A scan that reads ahead on a thread of its own into a queue bounded by bytes. The thread is a
 * platform thread: a native read would hold a virtual thread's carrier for as long as it lasts, and
 * there are only as many carriers as cores.
 */
final class LanceBatchSource implements BatchSource, ScanWork.Receiver {
  private final ScanWork work;
  private final long queueLimitBytes;
  private final Queue<Queued> queue = new ArrayDeque<>();
  private long queuedBytes;
  private long readBytes;
  private boolean finished;
  private boolean closed;
  private MillraceException failure;
  private CompletableFuture<Void> ready = new CompletableFuture<>();
  private Thread reader;

  private record Queued(Batch batch, long bytes) {}

  LanceBatchSource(ScanWork work, long queueLimitBytes) {
    this.work = work;
    this.queueLimitBytes = queueLimitBytes;
  }

  @Override
  public synchronized Step poll() {
    if (closed) {
      return Step.FINISHED;
    }
    if (reader == null) {
      reader = Thread.ofPlatform().daemon().name("lance-scan").start(this::readAll);
    }
    Queued next = queue.poll();
    if (next != null) {
      queuedBytes -= next.bytes();
      notifyAll();
      return new Step.Output(next.batch());
    }
    if (failure != null) {
      throw failure;
    }
    if (finished) {
      return Step.FINISHED;
    }
    if (ready.isDone()) {
      ready = new CompletableFuture<>();
    }
    return new Step.Blocked(ready, Step.BlockReason.IO);
  }

  private void readAll() {
    MillraceException failed = null;
    try {
      work.run(this);
    } catch (Throwable caught) {
      failed = MillraceException.of(caught);
    }
    CompletableFuture<Void> waiting;
    synchronized (this) {
      failure = failed;
      finished = true;
      waiting = ready;
    }
    waiting.complete(null);
  }

  @Override
  public boolean accept(Batch batch) {
    Queued item = new Queued(batch, batch.retainedBytes());
    CompletableFuture<Void> waiting;
    synchronized (this) {
      if (!awaitSpace()) {
        batch.close();
        return false;
      }
      queue.add(item);
      queuedBytes += item.bytes();
      waiting = ready;
    }
    waiting.complete(null); // Outside the lock: it may run the next step of the query.
    return true;
  }

  /** Waits until the queue is below its limit; false when the source was closed. */
  private synchronized boolean awaitSpace() {
    boolean interrupted = false;
    while (!closed && queuedBytes >= queueLimitBytes) {
      try {
        wait();
      } catch (InterruptedException signal) {
        interrupted = true; // Only close ends the thread.
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return !closed;
  }

  @Override
  public synchronized boolean isStopped() {
    return closed;
  }

  @Override
  public synchronized void addReadBytes(long bytes) {
    readBytes += bytes;
  }

  @Override
  public synchronized long readBytes() {
    return readBytes;
  }

  /**
   * Ends the scan. Waits for a native read in flight, at most one batch: it writes into our memory.
   */
  @Override
  public void close() {
    Thread running;
    CompletableFuture<Void> waiting;
    synchronized (this) {
      closed = true;
      running = reader;
      waiting = ready;
      notifyAll();
    }
    waiting.complete(null);
    if (running != null) {
      joinQuietly(running);
    }
    synchronized (this) {
      queue.forEach(item -> item.batch().close());
      queue.clear();
      queuedBytes = 0;
    }
  }

  private static void joinQuietly(Thread thread) {
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException signal) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
