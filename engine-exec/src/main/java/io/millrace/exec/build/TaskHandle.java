package io.millrace.exec.build;

import io.millrace.core.metrics.QueryProfile;
import java.util.concurrent.CompletableFuture;

/** A task that runs. */
public interface TaskHandle {

  /**
   * Completes when nothing of the task runs any more and all its memory is released; fails with a
   * MillraceException that names the operator.
   */
  CompletableFuture<Void> completion();

  /** Stops the task; sources stop at once. After completion it does nothing. */
  void cancel();

  /** What its operators did so far; complete after the completion. */
  QueryProfile profile();
}
