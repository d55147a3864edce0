package io.millrace.cluster.job;

import io.millrace.cluster.protocol.StageSetup;
import io.millrace.cluster.protocol.StreamTicket;
import io.millrace.cluster.protocol.TaskSetup;
import io.millrace.cluster.schedule.AttemptId;
import io.millrace.cluster.schedule.TaskFailure;
import io.millrace.cluster.schedule.WorkerId;
import io.millrace.cluster.shuffle.DataClients;
import io.millrace.cluster.shuffle.FrameBatchSource;
import io.millrace.cluster.shuffle.FrameSource;
import io.millrace.cluster.shuffle.PartitionedOutput;
import io.millrace.cluster.shuffle.ShuffleStore;
import io.millrace.cluster.shuffle.StoredPieces;
import io.millrace.core.config.Configuration;
import io.millrace.core.config.Settings;
import io.millrace.core.error.MillraceException;
import io.millrace.core.memory.RevocableOwner;
import io.millrace.core.memory.RootMemory;
import io.millrace.core.metrics.OperatorProfile;
import io.millrace.core.metrics.QueryProfile;
import io.millrace.core.plan.OrderKey;
import io.millrace.core.plan.Partitioning;
import io.millrace.core.plan.PhysicalPlan;
import io.millrace.core.plan.PlanCodec;
import io.millrace.core.spi.BatchSource;
import io.millrace.exec.build.TaskExecutor;
import io.millrace.exec.build.TaskHandle;
import io.millrace.exec.build.TaskInput;
import io.millrace.exec.build.TaskRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.apache.arrow.memory.BufferAllocator;

/** One attempt on its worker: opens its inputs, runs its operators, keeps its output. */
final class RunningTask {

  /** What the process lends to all tasks. */
  record Host(
      WorkerId worker,
      ShuffleStore store,
      DataClients clients,
      RootMemory memory,
      Executor blockingWork) {}

  /** How a task ended well. */
  record Result(List<Long> partitionBytes, QueryProfile profile) {}

  private final AttemptId attempt;
  private final Host host;

  // Guarded by this.
  private TaskHandle handle;
  private boolean aborted;
  private TaskFailure.InputLost inputLost;

  RunningTask(AttemptId attempt, Host host) {
    this.attempt = attempt;
    this.host = host;
  }

  AttemptId attempt() {
    return attempt;
  }

  /** Stops the task; {@link #run} then fails soon. */
  void abort() {
    TaskHandle running;
    synchronized (this) {
      aborted = true;
      running = handle;
    }
    if (running != null) {
      running.cancel();
    }
  }

  /** How a failure of {@link #run} is to be reported. */
  synchronized TaskFailure failure(Throwable problem) {
    if (aborted) {
      return new TaskFailure.Aborted();
    }
    if (inputLost != null) {
      return inputLost;
    }
    return new TaskFailure.Error(
        MillraceException.of(problem)
            .describe()
            .inTask(
                attempt.task().query(),
                attempt.task().stage(),
                attempt.task().task(),
                host.worker().value()));
  }

  /** Runs the task; blocks until nothing of it runs any more. */
  Result run(TaskExecutor executor, StageSetup stage, TaskSetup task, Configuration configuration) {
    PhysicalPlan.Exchange fragment = (PhysicalPlan.Exchange) PlanCodec.decode(stage.fragment());
    PhysicalPlan root = ScanSplits.replace(fragment.input(), task.splits());
    long queueBytes = configuration.value(Settings.QUEUE_BYTES);
    try (BufferAllocator buffers =
        host.memory().allocator().newChildAllocator("shuffle of " + attempt, 0, Long.MAX_VALUE)) {
      ShuffleStore.Writer writer = host.store().writer(attempt, stage.partitionCount());
      try (PartitionedOutput output =
          new PartitionedOutput(
              writer,
              stage.partitionCount(),
              buffers,
              host.blockingWork(),
              queueBytes,
              host.memory().pool().openReservation("shuffle of " + attempt, RevocableOwner.NONE))) {
        TaskHandle started =
            executor.start(
                new TaskRequest(
                    attempt.task().stage(),
                    attempt.task().task(),
                    attemptName(),
                    root,
                    inputs(stage, task, buffers, queueBytes),
                    fragment.partitioning(),
                    stage.partitionCount(),
                    output,
                    1));
        synchronized (this) {
          handle = started;
        }
        cancelIfAborted(started);
        await(started);
        List<Long> partitionBytes = output.publish();
        return new Result(
            partitionBytes, withShuffle(started.profile(), root, partitionBytes, fragment));
      }
    }
  }

  private String attemptName() {
    return String.join(
        "-",
        attempt.task().query(),
        Integer.toString(attempt.task().stage()),
        Integer.toString(attempt.task().task()),
        Integer.toString(attempt.attempt()));
  }

  private synchronized void cancelIfAborted(TaskHandle started) {
    if (aborted) {
      started.cancel();
    }
  }

  private static void await(TaskHandle started) {
    try {
      started.completion().join();
    } catch (CompletionException failure) {
      throw MillraceException.of(failure);
    }
  }

  private Map<Integer, TaskInput> inputs(
      StageSetup stage, TaskSetup task, BufferAllocator buffers, long queueBytes) {
    Map<Integer, TaskInput> inputs = new HashMap<>();
    for (byte[] encoded : stage.inputs()) {
      PhysicalPlan.Exchange exchange = (PhysicalPlan.Exchange) PlanCodec.decode(encoded);
      PhysicalPlan.StageInput leaf = (PhysicalPlan.StageInput) exchange.input();
      List<TaskSetup.Piece> pieces = task.inputs().getOrDefault(leaf.stageId(), List.of());
      List<OrderKey> mergeKeys = mergeKeys(exchange.partitioning());
      List<List<TaskSetup.Piece>> groups = groups(pieces, !mergeKeys.isEmpty());
      long share = Math.max(1, queueBytes / Math.max(1, groups.size()));
      List<BatchSource> sources = new ArrayList<>();
      for (List<TaskSetup.Piece> group : groups) {
        sources.add(source(leaf, group, buffers, share));
      }
      inputs.put(leaf.id(), new TaskInput(sources, mergeKeys));
    }
    return inputs;
  }

  private static List<OrderKey> mergeKeys(Partitioning partitioning) {
    return switch (partitioning) {
      case Partitioning.Single(List<OrderKey> keys) -> keys;
      case Partitioning.Hash any -> List.of();
      case Partitioning.RoundRobin any -> List.of();
      case Partitioning.Broadcast any -> List.of();
    };
  }

  /** One stream per worker; one per output when each is sorted by itself. */
  private static List<List<TaskSetup.Piece>> groups(List<TaskSetup.Piece> pieces, boolean apart) {
    if (apart) {
      return pieces.stream().map(List::of).toList();
    }
    Map<WorkerId, List<TaskSetup.Piece>> byWorker = new LinkedHashMap<>();
    for (TaskSetup.Piece piece : pieces) {
      byWorker.computeIfAbsent(piece.worker(), worker -> new ArrayList<>()).add(piece);
    }
    return List.copyOf(byWorker.values());
  }

  private BatchSource source(
      PhysicalPlan.StageInput leaf,
      List<TaskSetup.Piece> group,
      BufferAllocator buffers,
      long queueBytes) {
    StreamTicket.Pieces ticket =
        new StreamTicket.Pieces(
            group.stream()
                .map(piece -> new StreamTicket.Part(piece.attempt(), piece.partition()))
                .toList());
    TaskSetup.Piece first = group.getFirst();
    Supplier<FrameSource> opener =
        first.worker().equals(host.worker())
            ? () -> StoredPieces.open(ticket, host.store())
            : () -> host.clients().to(first.endpoint()).stream(ticket.encode());
    return new FrameBatchSource(
        opener,
        leaf.outputSchema(),
        buffers,
        host.blockingWork(),
        queueBytes,
        failure -> inputFailed(failure, first));
  }

  /** Remembers that an input is lost, so that it is computed again instead of failing the query. */
  private synchronized void inputFailed(MillraceException failure, TaskSetup.Piece piece) {
    if (failure.code().retryable() && inputLost == null) {
      inputLost = new TaskFailure.InputLost(piece.attempt(), piece.worker());
    }
  }

  /** The profile with the bytes given to the shuffle, counted at the stage's topmost operator. */
  private QueryProfile withShuffle(
      QueryProfile profile,
      PhysicalPlan root,
      List<Long> partitionBytes,
      PhysicalPlan.Exchange fragment) {
    long bytes = partitionBytes.stream().mapToLong(Long::longValue).sum();
    String name =
        profile.operators().stream()
            .filter(operator -> operator.id() == root.id())
            .map(OperatorProfile::name)
            .findFirst()
            .orElse(fragment.partitioning().getClass().getSimpleName());
    OperatorProfile shuffle =
        new OperatorProfile(
            root.id(),
            name,
            attempt.task().stage(),
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            0,
            bytes,
            0,
            0,
            0,
            Map.of());
    return QueryProfile.merge(
        List.of(profile, new QueryProfile(List.of(shuffle), profile.peakBytes())));
  }
}
