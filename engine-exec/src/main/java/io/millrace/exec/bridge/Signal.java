package io.millrace.exec.bridge;

import java.util.concurrent.CompletableFuture;

/**
 * A condition that drivers wait for. Take the future under the owner's lock while the condition
 * does not hold, change the condition under the lock, and complete what {@link #take} gives after
 * leaving it: then no wake-up is lost. Guarded by the owner's lock.
 */
final class Signal {
  private CompletableFuture<Void> future;

  /** Completes at the next change. */
  CompletableFuture<Void> await() {
    if (future == null) {
      future = new CompletableFuture<>();
    }
    return future;
  }

  /** What waits so far, to be completed outside of the lock; null when nothing does. */
  CompletableFuture<Void> take() {
    CompletableFuture<Void> waiting = future;
    future = null;
    return waiting;
  }

  /** Wakes what {@link #take} gave. */
  static void wake(CompletableFuture<Void> waiting) {
    if (waiting != null) {
      waiting.complete(null);
    }
  }
}
