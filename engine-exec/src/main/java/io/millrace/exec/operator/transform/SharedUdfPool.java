package io.millrace.exec.operator.transform;

import io.millrace.core.batch.Batch;
import io.millrace.core.batch.ColumnVector;
import io.millrace.core.metrics.OperatorMetrics;
import io.millrace.core.spi.UdfPool;
import java.util.concurrent.CompletableFuture;
import org.apache.arrow.memory.BufferAllocator;

/**
 * A pool that several operators call; hands its counters to their metrics, each count once.
 * Thread-safe.
 */
public final class SharedUdfPool implements AutoCloseable {
  private final UdfPool pool;
  private final BufferAllocator allocator;

  // Guarded by this.
  private UdfPool.UdfCounters reported = new UdfPool.UdfCounters(0, 0, 0, 0, 0, 0);

  /**
   * Takes ownership of the pool.
   *
   * @param allocator lives as long as the pool: arguments move to it, because a cancelled call may
   *     hold them after its task has ended
   */
  public SharedUdfPool(UdfPool pool, BufferAllocator allocator) {
    this.pool = pool;
    this.allocator = allocator;
  }

  /** Calls the function; consumes the arguments. */
  CompletableFuture<ColumnVector> call(Batch arguments) {
    Batch moved = arguments.transferTo(allocator);
    try {
      return pool.call(moved);
    } catch (RuntimeException | Error failure) {
      moved.close();
      throw failure;
    }
  }

  int inFlightLimit() {
    return pool.inFlightLimit();
  }

  /** Adds what was counted since the last report. */
  synchronized void report(OperatorMetrics metrics) {
    UdfPool.UdfCounters now = pool.counters();
    metrics.addExtra("udf_rows", now.rows() - reported.rows());
    metrics.addExtra("udf_batches", now.batches() - reported.batches());
    metrics.addExtra("udf_loads", now.loads() - reported.loads());
    metrics.addExtra("udf_retries", now.retries() - reported.retries());
    metrics.addExtra("udf_failures", now.failures() - reported.failures());
    metrics.addExtra("udf_busy_ms", (now.busyNanos() - reported.busyNanos()) / 1_000_000);
    reported = now;
  }

  @Override
  public void close() {
    pool.close();
  }
}
