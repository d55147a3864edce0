package io.millrace.exec.bridge;

import io.millrace.core.batch.Batch;
import io.millrace.core.memory.MemoryScope;
import io.millrace.core.memory.Reservation;
import io.millrace.core.memory.RevocableOwner;
import io.millrace.exec.pipeline.TaskContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Joins the build drivers of a hash join to its probe drivers: the build drivers hand their rows
 * over, the last of them makes the table, and all probe drivers read it. The table's bytes are
 * reserved here, because it outlives the build drivers. Thread-safe; closed at the end of the task.
 *
 * @param <T> the table
 */
public final class JoinBridge<T extends AutoCloseable> implements AutoCloseable {
  private final MemoryScope memory;
  private final Reservation reservation;
  private final CompletableFuture<T> built = new CompletableFuture<>();
  private final CompletableFuture<Void> unwanted = new CompletableFuture<>();

  // Guarded by this.
  private final List<Batch> rows = new ArrayList<>();
  private int buildDrivers;
  private int probeDrivers;
  private boolean probeAbandoned;
  private boolean closed;

  private JoinBridge(MemoryScope memory, int buildDrivers, int probeDrivers) {
    this.memory = memory;
    this.reservation = memory.openReservation(RevocableOwner.NONE);
    this.buildDrivers = buildDrivers;
    this.probeDrivers = probeDrivers;
  }

  /** A bridge of one join in a task. */
  public static <T extends AutoCloseable> JoinBridge<T> open(
      TaskContext task, String name, int buildDrivers, int probeDrivers) {
    JoinBridge<T> bridge =
        new JoinBridge<>(task.openScope(name + "-table"), buildDrivers, probeDrivers);
    task.addResource(bridge);
    return bridge;
  }

  /** For the rows and the table. */
  public BufferAllocator allocator() {
    return memory.allocator();
  }

  /** The bytes of rows and table. */
  public Reservation reservation() {
    return reservation;
  }

  /**
   * A build driver has given all its rows; takes ownership of them.
   *
   * @return all drivers' rows for the last driver, which makes the table of them; else empty
   */
  public synchronized Optional<List<Batch>> buildEnded(List<Batch> driverRows) {
    rows.addAll(driverRows);
    buildDrivers--;
    if (closed) {
      rows.forEach(Batch::close);
      rows.clear();
    }
    if (buildDrivers > 0) {
      return Optional.empty();
    }
    List<Batch> all = List.copyOf(rows);
    rows.clear();
    return Optional.of(all);
  }

  /** The table is ready; takes ownership of it. */
  public void publish(T table) {
    boolean late;
    synchronized (this) {
      late = closed || !built.complete(table);
    }
    if (late) {
      release(table);
    }
  }

  /** Completes with the table. */
  public CompletableFuture<T> built() {
    return built;
  }

  /** Completes when no probe driver wants the table any more. */
  public CompletableFuture<Void> unwanted() {
    return unwanted;
  }

  /** Whether no probe driver wants the table any more. */
  public synchronized boolean isAbandoned() {
    return closed || probeDrivers == 0;
  }

  /**
   * A probe driver has probed all its rows.
   *
   * @return whether it is the last one and all others probed all of theirs: then the build rows
   *     that are not marked have no match anywhere
   */
  public synchronized boolean probeEnded() {
    probeDrivers--;
    return probeDrivers == 0 && !probeAbandoned;
  }

  /** A probe driver stopped before it had probed all its rows. */
  public void probeAbandoned() {
    boolean last;
    synchronized (this) {
      probeDrivers--;
      probeAbandoned = true;
      last = probeDrivers == 0;
    }
    if (last) {
      unwanted.complete(null);
    }
  }

  @Override
  public void close() {
    List<Batch> left;
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
      left = List.copyOf(rows);
      rows.clear();
    }
    left.forEach(Batch::close);
    unwanted.complete(null);
    if (built.isDone() && !built.isCompletedExceptionally()) {
      release(built.join());
    }
    reservation.close();
  }

  private void release(T table) {
    try {
      table.close();
    } catch (RuntimeException failure) {
      throw failure;
    } catch (Exception failure) {
      throw new IllegalStateException(failure);
    }
  }
}
