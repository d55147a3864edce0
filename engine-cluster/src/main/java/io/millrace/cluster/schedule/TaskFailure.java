package io.millrace.cluster.schedule;

import io.millrace.core.error.ErrorInfo;

/** Why an attempt ended without an output. */
public sealed interface TaskFailure {

  /**
   * The attempt met an error. Errors whose code is retryable are tried again, elsewhere when the
   * worker keeps failing; all others end the query.
   */
  record Error(ErrorInfo error) implements TaskFailure {}

  /**
   * The attempt could not read an output of an earlier stage.
   *
   * @param lost the attempt whose output is missing or damaged
   * @param holder the worker that was asked for it
   */
  record InputLost(AttemptId lost, WorkerId holder) implements TaskFailure {}

  /** The attempt was stopped because the scheduler asked for it. */
  record Aborted() implements TaskFailure {}
}
