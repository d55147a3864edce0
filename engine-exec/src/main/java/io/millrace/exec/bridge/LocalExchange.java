package io.millrace.exec.bridge;

import io.millrace.core.memory.Reservation;
import io.millrace.core.memory.RevocableOwner;
import io.millrace.exec.pipeline.TaskContext;
import java.util.ArrayList;
import java.util.List;

/**
 * Moves batches from the drivers of some pipelines to the drivers of another, through byte-bounded
 * queues. How rows are placed is the sinks' business. Thread-safe; closed at the end of the task.
 */
public final class LocalExchange implements AutoCloseable {
  private final List<BatchQueue> queues;
  private final Reservation reservation;

  private LocalExchange(List<BatchQueue> queues, Reservation reservation) {
    this.queues = List.copyOf(queues);
    this.reservation = reservation;
  }

  /**
   * @param queueCount queues; limitBytes is shared between them
   * @param producers drivers that put into each queue
   * @param consumers drivers that take from each queue
   */
  public static LocalExchange open(
      TaskContext task, int queueCount, int producers, int consumers, long limitBytes) {
    Reservation reservation = task.memory().openReservation(RevocableOwner.NONE);
    List<BatchQueue> queues = new ArrayList<>();
    for (int index = 0; index < queueCount; index++) {
      queues.add(
          new BatchQueue(Math.max(1, limitBytes / queueCount), reservation, producers, consumers));
    }
    LocalExchange exchange = new LocalExchange(queues, reservation);
    task.addResource(exchange);
    return exchange;
  }

  public BatchQueue queue(int index) {
    return queues.get(index);
  }

  public List<BatchQueue> queues() {
    return queues;
  }

  @Override
  public void close() {
    queues.forEach(BatchQueue::close);
    reservation.close();
  }
}
