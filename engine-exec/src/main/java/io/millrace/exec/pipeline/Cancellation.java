package io.millrace.exec.pipeline;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import java.util.ArrayList;
import java.util.List;

/** A one-way switch that ends a task; the first cause stays. Thread-safe. */
public final class Cancellation {
  private final List<Runnable> listeners = new ArrayList<>();
  private volatile MillraceException cause;

  /** Whether the task is to end. */
  public boolean isCancelled() {
    return cause != null;
  }

  /** Why; null while it goes on. */
  public MillraceException cause() {
    return cause;
  }

  /** Ends the task because someone asked for it. */
  public void cancel() {
    fail(new MillraceException(ErrorCode.CANCELLED, "The query was cancelled."));
  }

  /** Ends the task because of an error. After the first call it does nothing. */
  public void fail(MillraceException failure) {
    List<Runnable> told;
    synchronized (listeners) {
      if (cause != null) {
        return;
      }
      cause = failure;
      told = List.copyOf(listeners);
      listeners.clear();
    }
    told.forEach(listener -> tell(listener, failure));
  }

  /** What a listener throws keeps no other from being told. */
  private static void tell(Runnable listener, MillraceException failure) {
    try {
      listener.run();
    } catch (Throwable problem) {
      if (problem != failure) {
        failure.addSuppressed(problem);
      }
    }
  }

  /**
   * Runs the listener at the cancellation, on its thread; at once when that has been. What it
   * throws is kept with the cause.
   */
  public void onCancel(Runnable listener) {
    synchronized (listeners) {
      if (cause == null) {
        listeners.add(listener);
        return;
      }
    }
    tell(listener, cause);
  }
}
