package io.millrace.cluster.actor;

import io.millrace.cluster.schedule.AttemptId;
import io.millrace.core.error.ErrorInfo;

/**
 * The part of a worker that does the work. Called on the worker's actor thread: every method hands
 * its work to other threads and answers at once.
 */
public interface TaskHost {

  /** The coordinator took the worker. */
  void accepted();

  /** The coordinator turned the worker away. */
  void rejected(ErrorInfo error);

  /** Run an attempt and report its end, whatever it is. */
  void launch(AttemptId attempt);

  /** Stop an attempt; its end is reported by the attempt itself. Unknown ones are ignored. */
  void abort(AttemptId attempt);

  /** Delete an output. Unknown ones are ignored. */
  void dropOutput(AttemptId attempt);

  /** Stop and forget everything of a query, then report that it is released. */
  void release(String query);
}
