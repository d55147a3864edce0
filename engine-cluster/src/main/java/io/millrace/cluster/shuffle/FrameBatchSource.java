package io.millrace.cluster.shuffle;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.spi.BatchSource;
import io.millrace.core.spi.Step;
import io.millrace.core.type.Schema;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Reads frames ahead on a thread that may block and gives them as batches to one that may not. At
 * most {@code queueBytes} wait between the two, plus one frame.
 */
public final class FrameBatchSource implements BatchSource {
  private final Supplier<FrameSource> opener;
  private final Schema schema;
  private final BufferAllocator allocator;
  private final Executor blockingWork;
  private final long queueBytes;
  private final Consumer<MillraceException> onFailure;

  // Guarded by this.
  private final Deque<byte[]> queue = new ArrayDeque<>();
  private long queuedBytes;
  private boolean started;
  private boolean finished;
  private boolean closed;
  private MillraceException failure;
  private FrameSource frames;
  private CompletableFuture<Void> waiting;

  /**
   * A source that opens its frames on the first poll.
   *
   * @param opener may block
   * @param schema of the batches in the frames
   * @param allocator of the batches given out
   * @param onFailure told of an error before a poll gives it; may be called on any thread
   */
  public FrameBatchSource(
      Supplier<FrameSource> opener,
      Schema schema,
      BufferAllocator allocator,
      Executor blockingWork,
      long queueBytes,
      Consumer<MillraceException> onFailure) {
    this.opener = opener;
    this.schema = schema;
    this.allocator = allocator;
    this.blockingWork = blockingWork;
    this.queueBytes = queueBytes;
    this.onFailure = onFailure;
  }

  @Override
  public Step poll() {
    byte[] frame;
    synchronized (this) {
      if (closed) {
        throw new MillraceException(ErrorCode.INTERNAL_ERROR, "A closed source was polled");
      }
      if (!started) {
        started = true;
        blockingWork.execute(this::readAhead);
      }
      frame = queue.poll();
      if (frame == null) {
        if (failure != null) {
          throw failure;
        }
        if (finished) {
          return Step.FINISHED;
        }
        if (waiting == null) {
          waiting = new CompletableFuture<>();
        }
        return new Step.Blocked(waiting, Step.BlockReason.UPSTREAM);
      }
      queuedBytes -= frame.length;
      notifyAll();
    }
    try {
      return new Step.Output(BatchFrames.decode(frame, schema, allocator));
    } catch (MillraceException damaged) {
      onFailure.accept(damaged);
      throw damaged;
    }
  }

  private void readAhead() {
    try {
      FrameSource source = opener.get();
      synchronized (this) {
        frames = source;
      }
      while (waitForSpace()) {
        Optional<byte[]> frame = source.next();
        if (frame.isEmpty()) {
          break;
        }
        put(frame.get());
      }
      finish(null);
    } catch (RuntimeException | Error problem) {
      MillraceException known = MillraceException.of(problem);
      boolean wanted;
      synchronized (this) {
        wanted = !closed;
      }
      if (wanted) {
        onFailure.accept(known);
      }
      finish(known);
    } finally {
      FrameSource source;
      synchronized (this) {
        source = frames;
      }
      if (source != null) {
        source.close();
      }
    }
  }

  /** False when nobody reads any more. */
  private synchronized boolean waitForSpace() {
    while (!closed && queuedBytes >= queueBytes) {
      try {
        wait();
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        return false;
      }
    }
    return !closed;
  }

  private void put(byte[] frame) {
    CompletableFuture<Void> wake;
    synchronized (this) {
      if (!closed) {
        queue.add(frame);
        queuedBytes += frame.length;
      }
      wake = takeWaiting();
    }
    complete(wake);
  }

  private void finish(MillraceException problem) {
    CompletableFuture<Void> wake;
    synchronized (this) {
      finished = true;
      failure = problem;
      wake = takeWaiting();
    }
    complete(wake);
  }

  private CompletableFuture<Void> takeWaiting() {
    CompletableFuture<Void> wake = waiting;
    waiting = null;
    return wake;
  }

  private static void complete(CompletableFuture<Void> wake) {
    if (wake != null) {
      wake.complete(null);
    }
  }

  /** Nothing: shuffled bytes come from no storage; their writer counts them. */
  @Override
  public long readBytes() {
    return 0;
  }

  @Override
  public void close() {
    FrameSource source;
    CompletableFuture<Void> wake;
    synchronized (this) {
      closed = true;
      queue.clear();
      queuedBytes = 0;
      source = frames;
      wake = takeWaiting();
      notifyAll();
    }
    complete(wake);
    if (source != null) {
      // Ends a read that waits; may itself wait a moment, which this thread must not.
      blockingWork.execute(source::close);
    }
  }
}
