package io.millrace.udf.instance;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import java.util.ArrayDeque;
import java.util.Optional;

/**
 * Calls that wait for an instance. Instances pull from it, so no call is bound to a busy one. Its
 * length is bounded by callers, who keep to the pool's in-flight limit.
 */
public final class UdfQueue {
  private final ArrayDeque<UdfCall> waiting = new ArrayDeque<>();
  private boolean closed;

  /** Adds a call; after a close it fails at once. */
  public void put(UdfCall call) {
    synchronized (this) {
      if (!closed) {
        waiting.add(call);
        notify();
        return;
      }
    }
    call.fail(cancelled());
  }

  /** The next call if one waits. */
  public synchronized Optional<UdfCall> poll() {
    return Optional.ofNullable(waiting.poll());
  }

  /** Waits for the next call; empty after the close. */
  public synchronized Optional<UdfCall> take() throws InterruptedException {
    while (waiting.isEmpty() && !closed) {
      wait();
    }
    return Optional.ofNullable(waiting.poll());
  }

  public synchronized int waitingCount() {
    return waiting.size();
  }

  public synchronized boolean isClosed() {
    return closed;
  }

  /** Fails what waits and wakes those who take. */
  public void close() {
    ArrayDeque<UdfCall> left;
    synchronized (this) {
      closed = true;
      left = new ArrayDeque<>(waiting);
      waiting.clear();
      notifyAll();
    }
    left.forEach(call -> call.fail(cancelled()));
  }

  private static MillraceException cancelled() {
    return new MillraceException(ErrorCode.CANCELLED, "The function's pool was closed.");
  }
}
