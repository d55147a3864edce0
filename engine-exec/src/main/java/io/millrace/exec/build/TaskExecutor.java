package io.millrace.exec.build;

/**
 * One query in one process: its memory, its user-defined functions' pools and its running tasks.
 * The local runner opens one per query and runs the whole plan as one task; a cluster worker opens
 * one when the first task of a query arrives and closes it when the query ends. Safe for use by
 * several threads. Opened by {@code ExecutionEnvironment.openQuery(queryId, configuration,
 * classLoader)}.
 */
public interface TaskExecutor extends AutoCloseable {

  /**
   * Starts a task; returns at once. The task owns the inputs' sources from here, also when this
   * throws.
   *
   * @throws io.millrace.core.error.MillraceException INVALID_PLAN and errors of binding functions
   */
  TaskHandle start(TaskRequest request);

  /**
   * Cancels tasks that run, waits for their end, closes the pools and releases all memory. Blocks;
   * again does nothing.
   *
   * @throws io.millrace.core.error.MillraceException OWNERSHIP_VIOLATION when memory leaked
   */
  @Override
  void close();
}
