package io.millrace.planner.logical;

import java.util.function.Supplier;

/**
 * Room for statements that are nested deeply: what overflows the caller's stack is done again on a
 * thread with a large one. Stack memory is taken only as far as it is used.
 */
public final class DeepStack {
  private static final long STACK_BYTES = 16L << 20;

  private DeepStack() {}

  /**
   * The work's result.
   *
   * @param work may be begun twice
   * @throws StackOverflowError when even the large stack is too small
   */
  public static <T> T call(Supplier<T> work) {
    try {
      return work.get();
    } catch (StackOverflowError tooSmall) {
      return onLargeStack(work);
    }
  }

  private static <T> T onLargeStack(Supplier<T> work) {
    Outcome<T> outcome = new Outcome<>(work);
    Thread thread =
        new Thread(null, outcome, Thread.currentThread().getName() + "-deep", STACK_BYTES);
    thread.start();
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException later) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return outcome.result();
  }

  private static final class Outcome<T> implements Runnable {
    private final Supplier<T> work;
    private T result;
    private RuntimeException failure;
    private Error error;

    Outcome(Supplier<T> work) {
      this.work = work;
    }

    @Override
    public void run() {
      try {
        result = work.get();
      } catch (RuntimeException raised) {
        failure = raised;
      } catch (Error raised) {
        error = raised;
      }
    }

    T result() {
      if (failure != null) {
        throw failure;
      }
      if (error != null) {
        throw error;
      }
      return result;
    }
  }
}
