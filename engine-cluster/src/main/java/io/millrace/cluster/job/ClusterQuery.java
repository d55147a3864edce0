package io.millrace.cluster.job;

import io.millrace.cluster.actor.QueryListener;
import io.millrace.cluster.protocol.Endpoint;
import io.millrace.cluster.protocol.ProfileCodec;
import io.millrace.cluster.protocol.QuerySetup;
import io.millrace.cluster.protocol.TaskSetup;
import io.millrace.cluster.schedule.AttemptId;
import io.millrace.cluster.schedule.Decision;
import io.millrace.cluster.schedule.StageDefinition;
import io.millrace.cluster.schedule.TaskId;
import io.millrace.cluster.schedule.TaskOutput;
import io.millrace.cluster.schedule.WorkerId;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.ErrorInfo;
import io.millrace.core.error.MillraceException;
import io.millrace.core.metrics.QueryProfile;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * One query as its coordinator sees it: what workers fetch to run its tasks, which results are
 * ready, how it ended. Told by the scheduler, asked by workers' calls and by the reader of its
 * result.
 */
final class ClusterQuery implements QueryListener {
  /** Bounds the wait for workers that should stop a query; they are lost or overloaded after it. */
  private static final long RELEASE_WAIT_MILLIS = 30_000;

  /** A result that can be read. */
  record ReadyResult(TaskOutput output, Endpoint endpoint) {}

  private final String id;
  private final QuerySetup setup;
  private final Map<Integer, StageAssignment> stages = new LinkedHashMap<>();
  private final Map<AttemptId, byte[]> taskSetups = new ConcurrentHashMap<>();

  /** Attempts whose inputs are gone: they fail when they ask for their set-up, and are retried. */
  private final Map<AttemptId, MillraceException> lostInputs = new ConcurrentHashMap<>();

  // Guarded by this.
  private final Deque<ReadyResult> ready = new ArrayDeque<>();
  private final Map<TaskId, QueryProfile> profiles = new HashMap<>();
  private ErrorInfo error;
  private boolean succeeded;
  private boolean released;

  ClusterQuery(String id, QuerySetup setup, List<StageAssignment> stages) {
    this.id = id;
    this.setup = setup;
    stages.forEach(stage -> this.stages.put(stage.stage(), stage));
  }

  String id() {
    return id;
  }

  QuerySetup setup() {
    return setup;
  }

  List<StageDefinition> definitions() {
    return stages.values().stream().map(StageAssignment::definition).toList();
  }

  byte[] stageSetup(int stage) {
    return stages.get(stage).setup().encode();
  }

  /** What an attempt reads, encoded; fails when the attempt has ended. */
  byte[] taskSetup(AttemptId attempt) {
    MillraceException lost = lostInputs.get(attempt);
    if (lost != null) {
      throw lost;
    }
    byte[] bytes = taskSetups.get(attempt);
    if (bytes == null) {
      throw new MillraceException(
          ErrorCode.CANCELLED, "The attempt is not wanted any more: " + attempt);
    }
    return bytes;
  }

  @Override
  public void launching(Decision.Launch launch, Map<WorkerId, Endpoint> endpoints) {
    int task = launch.attempt().task().task();
    Map<Integer, List<TaskSetup.Piece>> inputs = new HashMap<>();
    try {
      launch
          .inputs()
          .forEach((stage, outputs) -> inputs.put(stage, pieces(outputs, task, endpoints)));
    } catch (MillraceException lost) {
      lostInputs.put(launch.attempt(), lost);
      return;
    }
    StageAssignment stage = stages.get(launch.attempt().task().stage());
    taskSetups.put(launch.attempt(), new TaskSetup(stage.splits(task), inputs).encode());
  }

  private static List<TaskSetup.Piece> pieces(
      List<TaskOutput> outputs, int task, Map<WorkerId, Endpoint> endpoints) {
    List<TaskSetup.Piece> pieces = new ArrayList<>();
    for (TaskOutput output : outputs) {
      List<Long> sizes = output.partitionBytes();
      int partition = StageAssignment.partitionFor(task, sizes.size());
      Endpoint endpoint = endpoints.get(output.worker());
      if (sizes.get(partition) > 0) {
        if (endpoint == null) {
          // Never left out: a query without these rows would be wrong without a sign of it.
          throw new MillraceException(
              ErrorCode.SHUFFLE_LOST,
              "The worker that keeps a task's output is gone; run the query again: "
                  + output.worker());
        }
        pieces.add(new TaskSetup.Piece(output.attempt(), partition, output.worker(), endpoint));
      }
    }
    return pieces;
  }

  @Override
  public void ended(AttemptId attempt) {
    taskSetups.remove(attempt);
    lostInputs.remove(attempt);
  }

  @Override
  public synchronized void taskSucceeded(TaskOutput output, byte[] metrics) {
    if (metrics.length > 0) {
      profiles.put(output.attempt().task(), ProfileCodec.decode(metrics));
    }
  }

  @Override
  public synchronized void resultReady(TaskOutput output, Endpoint endpoint) {
    ready.add(new ReadyResult(output, endpoint));
    notifyAll();
  }

  @Override
  public synchronized void resultLost(TaskId task) {
    ready.removeIf(result -> result.output().attempt().task().equals(task));
  }

  @Override
  public synchronized void failed(AttemptCounts counts, ErrorInfo problem) {
    error = problem;
    notifyAll();
  }

  @Override
  public synchronized void succeeded(AttemptCounts counts) {
    succeeded = true;
    notifyAll();
  }

  @Override
  public synchronized void released() {
    released = true;
    taskSetups.clear();
    notifyAll();
  }

  /**
   * Waits for a result to read; empty when all are read.
   *
   * @throws MillraceException the query's error, after all workers have stopped it
   */
  synchronized Optional<ReadyResult> awaitResult() throws InterruptedException {
    while (ready.isEmpty() && error == null && !succeeded) {
      wait();
    }
    if (error != null) {
      awaitReleased();
      throw new MillraceException(error, null);
    }
    return Optional.ofNullable(ready.poll());
  }

  /** Waits until no worker runs anything of the query, within bounds. */
  synchronized void awaitReleased() throws InterruptedException {
    long deadline = System.nanoTime() + RELEASE_WAIT_MILLIS * 1_000_000;
    while (!released) {
      long leftMillis = (deadline - System.nanoTime()) / 1_000_000;
      if (leftMillis <= 0) {
        return;
      }
      wait(leftMillis);
    }
  }

  synchronized QueryProfile profile() {
    return QueryProfile.merge(profiles.values());
  }
}
