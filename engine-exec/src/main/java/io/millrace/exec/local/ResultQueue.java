package io.millrace.exec.local;

import io.millrace.core.batch.Batch;
import io.millrace.core.memory.Reservation;
import io.millrace.exec.bridge.BatchQueue;
import io.millrace.exec.build.TaskOutput;
import java.util.concurrent.CompletableFuture;

/** Result batches on their way to the client, bounded by bytes. */
final class ResultQueue implements TaskOutput, AutoCloseable {
  private final Reservation reservation;
  private final BatchQueue queue;

  /** Takes ownership of the reservation. */
  ResultQueue(long limitBytes, Reservation reservation) {
    this.reservation = reservation;
    this.queue = new BatchQueue(limitBytes, reservation, 1, 1);
  }

  BatchQueue queue() {
    return queue;
  }

  @Override
  public CompletableFuture<Void> ready() {
    return queue.ready();
  }

  @Override
  public void add(int partition, Batch batch) {
    queue.put(batch);
  }

  @Override
  public boolean isSatisfied() {
    return queue.isSatisfied();
  }

  /** No more rows come. */
  void end() {
    queue.producerEnded();
  }

  @Override
  public void close() {
    queue.close();
    reservation.close();
  }
}
