package io.millrace.cluster.cli;

import java.io.IOException;

/** Whoever read our output has left: the command ends quietly and well. */
final class ClosedPipeException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ClosedPipeException(IOException cause) {
    super(cause);
  }
}
