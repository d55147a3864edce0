package io.millrace.cluster.job;

import io.millrace.cluster.protocol.Endpoint;
import io.millrace.cluster.protocol.MessageReader;
import io.millrace.cluster.protocol.MessageWriter;
import io.millrace.cluster.protocol.ProtocolValues;
import io.millrace.cluster.schedule.ResourceVector;
import io.millrace.cluster.schedule.WorkerId;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;

/** The workers of a coordinator as others see them. Safe for use by several threads. */
public final class WorkerRoster {
  private record Entry(Endpoint endpoint, ResourceVector resources) {}

  // Guarded by this.
  private final Map<WorkerId, Entry> workers = new LinkedHashMap<>();

  synchronized void add(WorkerId worker, Endpoint endpoint, ResourceVector resources) {
    workers.put(worker, new Entry(endpoint, resources));
    notifyAll();
  }

  synchronized Optional<Endpoint> remove(WorkerId worker) {
    notifyAll();
    return Optional.ofNullable(workers.remove(worker)).map(Entry::endpoint);
  }

  /** The workers present. */
  public synchronized Set<WorkerId> workers() {
    return Set.copyOf(workers.keySet());
  }

  /** Tasks that all workers together run side by side. */
  public synchronized int slotCount() {
    return slots(workers.values().stream().map(Entry::resources).toList());
  }

  private static int slots(List<ResourceVector> resources) {
    return resources.stream().mapToInt(worker -> (int) (worker.milliCpus() / 1000)).sum();
  }

  /**
   * Waits until a condition on this roster holds; looks at it again after each change and now and
   * then.
   *
   * @return whether it held in time
   */
  public synchronized boolean await(BooleanSupplier condition, long timeoutMillis)
      throws InterruptedException {
    long deadline = System.nanoTime() + timeoutMillis * 1_000_000;
    while (!condition.getAsBoolean()) {
      long leftMillis = (deadline - System.nanoTime()) / 1_000_000;
      if (leftMillis <= 0) {
        return false;
      }
      wait(Math.min(leftMillis, RECHECK_MILLIS));
    }
    return true;
  }

  private static final long RECHECK_MILLIS = 100;

  /**
   * Tasks that run side by side, after waiting for the first worker.
   *
   * @throws MillraceException NO_SLOTS when none comes in time
   */
  int awaitSlots(long timeoutMillis) {
    try {
      if (await(() -> slotCount() > 0, timeoutMillis)) {
        return slotCount();
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new MillraceException(ErrorCode.CANCELLED, "The query was cancelled", interrupted);
    }
    throw new MillraceException(
        ErrorCode.NO_SLOTS,
        "The cluster has no worker; start one with: millrace worker --coordinator HOST:PORT");
  }

  /** Resources of all workers, for a client. */
  synchronized byte[] encode() {
    return new MessageWriter()
        .putList(
            workers.values(), (out, entry) -> ProtocolValues.putResources(out, entry.resources()))
        .toBytes();
  }

  /** Reads {@link #encode}: tasks that run side by side. */
  static int decodeSlotCount(byte[] bytes) {
    return slots(new MessageReader(bytes).takeList(ProtocolValues::takeResources));
  }
}
