package io.millrace.core.spi;

import io.millrace.core.batch.Batch;
import io.millrace.core.batch.ColumnVector;
import java.util.concurrent.CompletableFuture;

/**
 * Instances of one function for one query in one process, shared by all drivers. Instances pull
 * work; at most {@link #inFlightLimit} calls wait or run at once.
 */
public interface UdfPool extends AutoCloseable {

  /**
   * Calls the function.
   *
   * @param arguments compact (no selection); the pool owns it from here, also on error
   * @return one result per row; the caller owns it. Fails with UDF_FAILED carrying the function's
   *     own message, its name and the row range. Cancelling the future is allowed
   */
  CompletableFuture<ColumnVector> call(Batch arguments);

  /** Calls that may be in flight before a caller should wait for one to end. */
  int inFlightLimit();

  UdfCounters counters();

  /** Ends running calls (interrupt) and closes every instance; returns when all are closed. */
  @Override
  void close();

  /**
   * What a pool did.
   *
   * @param loads instances that were made and opened
   */
  record UdfCounters(
      long rows, long batches, long loads, long retries, long failures, long busyNanos) {}
}
