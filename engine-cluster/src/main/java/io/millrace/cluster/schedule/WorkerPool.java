package io.millrace.cluster.schedule;

import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The workers of the cluster, what they declared and what running attempts occupy. Pure state: used
 * from one thread, it knows neither time nor network.
 */
public final class WorkerPool {

  /**
   * A worker as the scheduler sees it.
   *
   * @param id its identity
   * @param host the host it runs on, compared with the hosts that tasks prefer
   * @param total the resources it declared
   */
  public record Worker(WorkerId id, String host, ResourceVector total) {}

  private record Reservation(WorkerId worker, ResourceVector resources) {}

  private final Map<WorkerId, Worker> workers = new LinkedHashMap<>();
  private final Map<WorkerId, ResourceVector> free = new HashMap<>();
  private final Map<AttemptId, Reservation> reservations = new LinkedHashMap<>();

  /** Adds a worker; one that is already known keeps its reservations. */
  public void join(Worker worker) {
    if (workers.putIfAbsent(worker.id(), worker) == null) {
      free.put(worker.id(), worker.total());
    }
  }

  /** Removes a worker together with everything reserved on it. Unknown ids are ignored. */
  public void leave(WorkerId worker) {
    workers.remove(worker);
    free.remove(worker);
    reservations.values().removeIf(reservation -> reservation.worker().equals(worker));
  }

  public Collection<Worker> workers() {
    return List.copyOf(workers.values());
  }

  public Optional<Worker> worker(WorkerId id) {
    return Optional.ofNullable(workers.get(id));
  }

  public boolean isEmpty() {
    return workers.isEmpty();
  }

  /** What is neither declared away nor reserved on a worker; nothing for an unknown worker. */
  public ResourceVector free(WorkerId worker) {
    return free.getOrDefault(worker, ResourceVector.NONE);
  }

  /** The sum of what all workers declared. */
  public ResourceVector total() {
    ResourceVector sum = ResourceVector.NONE;
    for (Worker worker : workers.values()) {
      sum = sum.plus(worker.total());
    }
    return sum;
  }

  /**
   * Occupies resources for an attempt.
   *
   * @throws IllegalStateException when they are not free or the attempt already holds some
   */
  void reserve(AttemptId attempt, WorkerId worker, ResourceVector resources) {
    ResourceVector available = free(worker);
    if (!workers.containsKey(worker) || !resources.fitsIn(available)) {
      throw new IllegalStateException(
          "resources are not free: " + resources + " of " + available + " on " + worker);
    }
    if (reservations.putIfAbsent(attempt, new Reservation(worker, resources)) != null) {
      throw new IllegalStateException("attempt already holds resources: " + attempt);
    }
    free.put(worker, available.minus(resources));
  }

  /** Gives back what an attempt occupied; does nothing when it holds nothing. */
  public void release(AttemptId attempt) {
    Reservation reservation = reservations.remove(attempt);
    if (reservation != null) {
      free.computeIfPresent(
          reservation.worker(), (worker, left) -> left.plus(reservation.resources()));
    }
  }

  /** Gives back what all attempts of one query occupy on a worker that has dropped the query. */
  public void releaseQuery(String query, WorkerId worker) {
    List<AttemptId> held =
        reservations.entrySet().stream()
            .filter(entry -> entry.getValue().worker().equals(worker))
            .map(Map.Entry::getKey)
            .filter(attempt -> attempt.task().query().equals(query))
            .toList();
    held.forEach(this::release);
  }

  /** The number of attempts that hold resources. */
  public int reservationCount() {
    return reservations.size();
  }
}
