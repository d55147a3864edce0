package io.millrace.core.spi;

/** Runs physical plans: in this process or on a cluster. Safe for use by several threads. */
public interface QueryRunner extends AutoCloseable {

  /** Starts a query; batches are made as the stream is read. */
  ResultStream run(QueryRequest request);

  /** Tasks of a stage that can run side by side; the planner asks for about that many splits. */
  int parallelism();

  /** Whether every task reads and writes the same files as this process under the same paths. */
  default boolean sharesFiles() {
    return true;
  }

  /** Cancels what runs and frees everything. */
  @Override
  void close();
}
