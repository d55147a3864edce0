package io.millrace.exec.pipeline;

import io.millrace.core.config.Configuration;
import io.millrace.core.config.Settings;
import io.millrace.core.memory.MemoryScope;
import io.millrace.core.memory.RevocableOwner;
import io.millrace.core.metrics.OperatorMetrics;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.apache.arrow.memory.BufferAllocator;

/**
 * What one stage of one driver works with. The allocator lives until the whole task has ended, so
 * batches may outlive the stage that made them.
 */
public final class OperatorContext {
  private final String operatorName;
  private final TaskContext task;
  private final MemoryScope scope;
  private final OperatorMemory memory;
  private final OperatorMetrics metrics;
  private final int batchRows;
  private final long batchBytes;

  OperatorContext(
      String operatorName, TaskContext task, OperatorMetrics metrics, RevocableOwner revocable) {
    this.operatorName = operatorName;
    this.task = task;
    this.scope = task.openScope(operatorName);
    this.memory = new OperatorMemory(scope.openReservation(revocable), metrics);
    this.metrics = metrics;
    this.batchRows = task.configuration().value(Settings.BATCH_ROWS);
    this.batchBytes = task.configuration().value(Settings.BATCH_BYTES);
  }

  /** Name and node id, for example {@code HashJoin-4}. */
  public String operatorName() {
    return operatorName;
  }

  /** For everything the stage allocates. */
  public BufferAllocator allocator() {
    return scope.allocator();
  }

  /** What the stage has reserved. */
  public OperatorMemory memory() {
    return memory;
  }

  /** Shared by all drivers of the plan node. */
  public OperatorMetrics metrics() {
    return metrics;
  }

  /** The process's memory budget, of all queries. */
  public long memoryLimitBytes() {
    return task.memory().pool().limitBytes();
  }

  public Configuration configuration() {
    return task.configuration();
  }

  /** Rows at which a batch is closed. */
  public int batchRows() {
    return batchRows;
  }

  /** Bytes at which a batch is closed. */
  public long batchBytes() {
    return batchBytes;
  }

  /** Rows of about so many bytes that make one batch; at least one. */
  public int rowsPerBatch(long bytesPerRow) {
    return (int) Math.clamp(batchBytes / Math.max(1, bytesPerRow), 1, batchRows);
  }

  public boolean isCancelled() {
    return task.cancellation().isCancelled();
  }

  /** Runs work that may block, on a virtual thread. */
  public Executor blockingWork() {
    return task.blockingWork();
  }

  /**
   * Runs work that may block; the task does not end before it has. The work itself must release
   * what it made when the stage is closed meanwhile.
   */
  public <T> CompletableFuture<T> supplyBlocking(Supplier<T> work) {
    return track(CompletableFuture.supplyAsync(work, task.blockingWork()));
  }

  /** Keeps the task open until the future is done and its continuations so far have run. */
  public <T> CompletableFuture<T> track(CompletableFuture<T> future) {
    return task.track(future);
  }
}
