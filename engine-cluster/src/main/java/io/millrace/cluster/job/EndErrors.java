package io.millrace.cluster.job;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.ErrorInfo;

/** Errors with which running work is ended from outside. */
final class EndErrors {
  private EndErrors() {}

  static ErrorInfo shuttingDown() {
    return ErrorInfo.of(ErrorCode.CANCELLED, "The coordinator was shut down");
  }
}
