package io.millrace.exec.pipeline;

import io.millrace.core.config.Configuration;
import io.millrace.core.error.MillraceException;
import io.millrace.core.memory.MemoryScope;
import io.millrace.core.metrics.OperatorMetrics;
import io.millrace.core.metrics.QueryProfile;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What the drivers of one task share: memory, metrics, cancellation, and the count of what still
 * runs. When the count comes to zero, resources and memory are released and the completion is told.
 * Thread-safe.
 */
public final class TaskContext {
  private final int stage;
  private final MemoryScope memory;
  private final Configuration configuration;
  private final Executor blockingWork;
  private final Cancellation cancellation = new Cancellation();
  private final CompletableFuture<Void> completion = new CompletableFuture<>();
  private final AtomicInteger running = new AtomicInteger(1);

  // Guarded by this.
  private final Deque<AutoCloseable> resources = new ArrayDeque<>();
  private final List<MemoryScope> scopes = new ArrayList<>();
  private final Map<Integer, OperatorMetrics> metrics = new TreeMap<>();

  /**
   * Running from the start: call {@link #started} when all drivers were submitted.
   *
   * @param memory the task's own scope; closed at its end
   */
  public TaskContext(
      int stage, MemoryScope memory, Configuration configuration, Executor blockingWork) {
    this.stage = stage;
    this.memory = memory;
    this.configuration = configuration;
    this.blockingWork = blockingWork;
  }

  public Configuration configuration() {
    return configuration;
  }

  public Cancellation cancellation() {
    return cancellation;
  }

  public Executor blockingWork() {
    return blockingWork;
  }

  /** The task's own memory; bridges reserve from it. */
  public MemoryScope memory() {
    return memory;
  }

  /** Completes when nothing runs any more and everything is released. */
  public CompletableFuture<Void> completion() {
    return completion;
  }

  /** A memory scope that lives until the task ends. */
  public synchronized MemoryScope openScope(String name) {
    MemoryScope scope = memory.open(name);
    scopes.add(scope);
    return scope;
  }

  /**
   * The counters of a plan node, made on first use. A negative id is of a stage that stands for no
   * node: its counters are not in the profile.
   */
  public synchronized OperatorMetrics metrics(int nodeId, String name) {
    if (nodeId < 0) {
      return new OperatorMetrics(nodeId, name);
    }
    return metrics.computeIfAbsent(nodeId, id -> new OperatorMetrics(id, name));
  }

  /** Closed at the end of the task, last added first. */
  public synchronized void addResource(AutoCloseable resource) {
    resources.push(resource);
  }

  /** What the operators did so far. */
  public synchronized QueryProfile profile() {
    return new QueryProfile(
        metrics.values().stream().map(operator -> operator.snapshot(stage)).toList(),
        memory.pool().peakBytes());
  }

  /** Something more runs; it ends with {@link #ended}. */
  void begun() {
    running.incrementAndGet();
  }

  /** All drivers were submitted. */
  public void started() {
    ended();
  }

  /** Something that ran has ended. */
  void ended() {
    if (running.decrementAndGet() == 0) {
      // Not on this thread: it may be one that a resource waits for when it is closed.
      blockingWork.execute(this::release);
    }
  }

  /** Keeps the task open until the future is done. */
  <T> CompletableFuture<T> track(CompletableFuture<T> future) {
    begun();
    future.whenComplete((value, failure) -> ended());
    return future;
  }

  private void release() {
    List<AutoCloseable> closing = new ArrayList<>();
    synchronized (this) {
      closing.addAll(resources);
      closing.addAll(scopes);
      closing.add(memory);
      resources.clear();
      scopes.clear();
    }
    for (AutoCloseable resource : closing) {
      try {
        resource.close();
      } catch (Exception failure) {
        cancellation.fail(MillraceException.of(failure));
      }
    }
    if (cancellation.isCancelled()) {
      completion.completeExceptionally(cancellation.cause());
    } else {
      completion.complete(null);
    }
  }
}
