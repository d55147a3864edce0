package io.millrace.exec.operator.sink;

import io.millrace.core.batch.Batch;
import java.util.concurrent.CompletableFuture;

/** Where a partitioning sink puts its batches. Safe for use by several threads. */
public interface PartitionTarget {

  /** Completed when a batch may be added to the partition now. */
  CompletableFuture<Void> ready(int partition);

  /** Takes a batch without selection; owns it, also on error. */
  void add(int partition, Batch batch);

  /** Whether no partition wants more. */
  boolean isSatisfied();

  /** One sink gives no more; called once by each, also after errors. */
  void sinkEnded();
}
