package io.millrace.exec.build;

import io.millrace.core.batch.Batch;
import java.util.concurrent.CompletableFuture;

/**
 * Takes the rows of one task. Called by several drivers at once, so it is safe for use by several
 * threads. Nothing here blocks.
 */
public interface TaskOutput {

  /**
   * Completes when more may be added: a driver waits for it before each batch, so at most one batch
   * per driver comes over the limit. A completed future means now; a failed one fails the task.
   */
  CompletableFuture<Void> ready();

  /**
   * Takes a batch; owns it, also on error.
   *
   * @param partition 0 to partitionCount − 1; always 0 under SINGLE and BROADCAST partitioning
   * @param batch compact (no selection), at least one row
   */
  void add(int partition, Batch batch);

  /** Whether no more rows are wanted; the task then stops its sources and ends well. */
  default boolean isSatisfied() {
    return false;
  }
}
