package io.millrace.cluster.schedule;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Chooses the worker for a task: one with enough free resources that the query does not avoid,
 * first where the input lies, after a short wait anywhere, and of several the one with most left.
 */
final class TaskPlacement {
  private final WorkerPool pool;
  private final SchedulePolicy policy;

  TaskPlacement(WorkerPool pool, SchedulePolicy policy) {
    this.pool = pool;
    this.policy = policy;
  }

  /** Whether some worker could run such a task once all else on it has ended. */
  boolean canEverRun(ResourceVector resources, Map<WorkerId, Integer> failures) {
    return pool.workers().stream()
        .anyMatch(worker -> !isAvoided(worker.id(), failures) && resources.fitsIn(worker.total()));
  }

  /** The worker to take now, or empty to wait. */
  Optional<WorkerId> choose(
      ResourceVector resources,
      Set<String> preferredHosts,
      Map<Integer, List<TaskOutput>> inputs,
      int partition,
      long waitingSinceMillis,
      Map<WorkerId, Integer> failures,
      long nowMillis) {
    List<WorkerPool.Worker> candidates =
        pool.workers().stream()
            .filter(worker -> !isAvoided(worker.id(), failures))
            .filter(worker -> resources.fitsIn(pool.free(worker.id())))
            .toList();
    if (candidates.isEmpty()) {
      return Optional.empty();
    }
    Map<WorkerId, Long> held = heldBytes(inputs, partition);
    Optional<WorkerPool.Worker> local =
        candidates.stream()
            .filter(worker -> preferredHosts.contains(worker.host()))
            .max(byHeldThenFree(held));
    boolean mayWait =
        !preferredHosts.isEmpty()
            && nowMillis - waitingSinceMillis < policy.localityWaitMillis()
            && pool.workers().stream().anyMatch(worker -> preferredHosts.contains(worker.host()));
    if (local.isEmpty() && mayWait) {
      return Optional.empty();
    }
    return local.or(() -> candidates.stream().max(byHeldThenFree(held))).map(WorkerPool.Worker::id);
  }

  /**
   * A worker that failed too often for this query, as long as one is left that did not: the last
   * one is better than none, the limit of attempts still ends a hopeless task.
   */
  private boolean isAvoided(WorkerId worker, Map<WorkerId, Integer> failures) {
    if (failures.getOrDefault(worker, 0) < policy.workerFailureLimit()) {
      return false;
    }
    return pool.workers().stream()
        .anyMatch(other -> failures.getOrDefault(other.id(), 0) < policy.workerFailureLimit());
  }

  /** Input bytes of a partition that each worker keeps; an even spread gives no preference. */
  private static Map<WorkerId, Long> heldBytes(
      Map<Integer, List<TaskOutput>> inputs, int partition) {
    Map<WorkerId, Long> held = new HashMap<>();
    for (List<TaskOutput> outputs : inputs.values()) {
      for (TaskOutput output : outputs) {
        List<Long> sizes = output.partitionBytes();
        // A broadcast or single output has one partition, which every task reads.
        long bytes = sizes.isEmpty() ? 0 : sizes.get(partition < sizes.size() ? partition : 0);
        held.merge(output.worker(), bytes, Long::sum);
      }
    }
    long total = held.values().stream().mapToLong(Long::longValue).sum();
    // Only a worker with a clear share is worth crowding; else spread by free resources.
    held.values().removeIf(bytes -> bytes * 3 < total * 2 || bytes < LOCAL_BYTES_FLOOR);
    return held;
  }

  private static final long LOCAL_BYTES_FLOOR = 1 << 20;

  private Comparator<WorkerPool.Worker> byHeldThenFree(Map<WorkerId, Long> held) {
    return Comparator.comparingLong(
            (WorkerPool.Worker worker) -> held.getOrDefault(worker.id(), 0L))
        .thenComparingLong(worker -> pool.free(worker.id()).milliCpus())
        .thenComparingLong(worker -> pool.free(worker.id()).milliGpus())
        .thenComparingLong(worker -> pool.free(worker.id()).memoryBytes())
        .thenComparing(WorkerPool.Worker::id, Comparator.reverseOrder());
  }
}
