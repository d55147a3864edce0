package io.millrace.core.error;

/**
 * Who can mend an error; decides the exit code of the command line and whether a task is retried.
 */
public enum ErrorCategory {
  /** The query, its input or a user-defined function is wrong. */
  USER(1),
  /** A budget is used up: memory, disk, slots. */
  RESOURCE(3),
  /** Something outside failed: an object store, a worker, the network. */
  EXTERNAL(4),
  /** A fault of the engine itself. */
  INTERNAL(5),
  /** The user or the engine asked for an end. */
  CANCELLED(130);

  private final int exitCode;

  ErrorCategory(int exitCode) {
    this.exitCode = exitCode;
  }

  /** The process exit code that the command line ends with. */
  public int exitCode() {
    return exitCode;
  }
}
