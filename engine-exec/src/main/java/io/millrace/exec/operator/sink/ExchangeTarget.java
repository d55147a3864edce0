package io.millrace.exec.operator.sink;

import io.millrace.core.batch.Batch;
import io.millrace.exec.bridge.BatchQueue;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** One queue of a local exchange per partition. */
public record ExchangeTarget(List<BatchQueue> queues) implements PartitionTarget {
  public ExchangeTarget {
    queues = List.copyOf(queues);
  }

  @Override
  public CompletableFuture<Void> ready(int partition) {
    return queues.get(partition).ready();
  }

  @Override
  public void add(int partition, Batch batch) {
    queues.get(partition).put(batch);
  }

  @Override
  public boolean isSatisfied() {
    return queues.stream().allMatch(BatchQueue::isSatisfied);
  }

  @Override
  public void sinkEnded() {
    queues.forEach(BatchQueue::producerEnded);
  }
}
