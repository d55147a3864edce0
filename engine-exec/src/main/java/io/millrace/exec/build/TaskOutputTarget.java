package io.millrace.exec.build;

import io.millrace.core.batch.Batch;
import io.millrace.exec.operator.sink.PartitionTarget;
import java.util.concurrent.CompletableFuture;
import org.apache.arrow.memory.BufferAllocator;

/**
 * A task's output as the target of its last sinks. Batches move to the process's root allocator,
 * because they outlive the task.
 */
record TaskOutputTarget(TaskOutput output, BufferAllocator root) implements PartitionTarget {
  @Override
  public CompletableFuture<Void> ready(int partition) {
    return output.ready();
  }

  @Override
  public void add(int partition, Batch batch) {
    output.add(partition, batch.transferTo(root));
  }

  @Override
  public boolean isSatisfied() {
    return output.isSatisfied();
  }

  @Override
  public void sinkEnded() {}
}
