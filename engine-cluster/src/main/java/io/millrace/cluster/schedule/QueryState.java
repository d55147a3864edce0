package io.millrace.cluster.schedule;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.ErrorInfo;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One query from its stages to its delivered result. A stage runs when the outputs of all its input
 * stages are there; the outputs of a lost worker that are still needed are computed again, and only
 * those. The last stage's outputs are the result.
 *
 * <p>The pool is shared by all queries of a coordinator; this class reserves in it when it launches
 * and releases when an attempt ends.
 */
public final class QueryState {

  /** Where a query stands. */
  public enum Status {
    RUNNING,
    SUCCEEDED,
    FAILED
  }

  private final String query;
  private final Map<Integer, StageState> stages = new LinkedHashMap<>();
  private final StageState result;
  private final WorkerPool pool;
  private final SchedulePolicy policy;
  private final TaskPlacement placement;
  private final Map<WorkerId, Integer> workerFailures = new HashMap<>();
  private Status status = Status.RUNNING;
  private ErrorInfo lastFailure;
  private long stuckSinceMillis = Long.MIN_VALUE;

  /**
   * A query that has not started; {@link #schedule} launches its first tasks.
   *
   * @param stages in an order in which inputs come first; the last one is the result
   */
  public QueryState(
      String query, List<StageDefinition> stages, WorkerPool pool, SchedulePolicy policy) {
    this.query = query;
    this.pool = pool;
    this.policy = policy;
    this.placement = new TaskPlacement(pool, policy);
    for (StageDefinition stage : stages) {
      if (!this.stages.keySet().containsAll(stage.inputs())) {
        throw new IllegalArgumentException("inputs must come first, in stage " + stage.stage());
      }
      this.stages.put(stage.stage(), new StageState(query, stage));
    }
    this.result = this.stages.get(stages.getLast().stage());
  }

  public String query() {
    return query;
  }

  public Status status() {
    return status;
  }

  /** For each stage in order: done, running and all tasks, for progress displays. */
  public List<StageProgress> progress() {
    return stages.values().stream()
        .map(
            stage ->
                new StageProgress(
                    stage.number(), stage.doneCount(), stage.runningCount(), stage.tasks().size()))
        .toList();
  }

  /**
   * How far a stage is.
   *
   * @param stage its number
   * @param done tasks whose output is there
   * @param running attempts now running
   * @param tasks all tasks
   */
  public record StageProgress(int stage, int done, int running, int tasks) {}

  /**
   * Launches what can run now, and fails the query when nothing of it runs and no worker that could
   * take its tasks has been there for too long. Called after every event and on every tick.
   */
  public List<Decision> schedule(long nowMillis) {
    List<Decision> decisions = new ArrayList<>();
    if (status != Status.RUNNING) {
      return decisions;
    }
    boolean placeable = false;
    boolean waiting = false;
    for (StageState stage : stages.values()) {
      Optional<Map<Integer, List<TaskOutput>>> inputs =
          isNeeded(stage.number()) ? inputsOf(stage) : Optional.empty();
      if (inputs.isEmpty()) {
        continue;
      }
      for (TaskState task : stage.tasks()) {
        if (task.isDone() || !task.running().isEmpty()) {
          continue;
        }
        waiting = true;
        placeable |= placement.canEverRun(stage.definition().resources(), workerFailures);
        if (task.needsAttempt(nowMillis)) {
          launch(stage, task, inputs.get(), nowMillis, decisions);
        }
      }
    }
    checkStuck(waiting && !placeable && runningCount() == 0, nowMillis, decisions);
    return decisions;
  }

  /** An attempt wrote its output. */
  public List<Decision> succeeded(TaskOutput output) {
    List<Decision> decisions = new ArrayList<>();
    AttemptId attempt = output.attempt();
    pool.release(attempt);
    TaskState task = task(attempt.task());
    task.end(attempt);
    if (status != Status.RUNNING
        || pool.worker(output.worker()).isEmpty()
        || !task.commit(output)) {
      decisions.add(new Decision.DropOutput(attempt, output.worker()));
      return decisions;
    }
    task.running().forEach((other, on) -> decisions.add(new Decision.Abort(other, on)));
    if (attempt.task().stage() == result.number()) {
      decisions.add(new Decision.ResultReady(output));
    }
    return decisions;
  }

  /** An attempt ended without an output. */
  public List<Decision> failed(AttemptId attempt, TaskFailure failure, long nowMillis) {
    List<Decision> decisions = new ArrayList<>();
    WorkerId worker = task(attempt.task()).running().get(attempt);
    pool.release(attempt);
    boolean known = task(attempt.task()).end(attempt);
    if (status != Status.RUNNING || !known) {
      return decisions;
    }
    switch (failure) {
      case TaskFailure.Aborted() -> {}
      case TaskFailure.InputLost(AttemptId lost, WorkerId holder) ->
          outputLost(lost, holder, decisions);
      case TaskFailure.Error(ErrorInfo error) -> {
        if (!task(attempt.task()).isDone()) {
          taskFailed(attempt, worker, error, nowMillis, decisions);
        }
      }
    }
    return decisions;
  }

  /** A worker is gone with all it ran and kept. The caller has taken it out of the pool. */
  public List<Decision> workerLost(WorkerId worker, long nowMillis) {
    List<Decision> decisions = new ArrayList<>();
    if (status != Status.RUNNING) {
      return decisions;
    }
    for (StageState stage : stages.values()) {
      for (TaskState task : stage.tasks()) {
        loseWorkerOf(task, worker, nowMillis, decisions);
        if (status != Status.RUNNING) {
          return decisions;
        }
      }
    }
    return decisions;
  }

  /** All rows of a result task are with the client. */
  public List<Decision> delivered(AttemptId attempt) {
    List<Decision> decisions = new ArrayList<>();
    TaskState task = task(attempt.task());
    if (status != Status.RUNNING || task.isDelivered()) {
      return decisions;
    }
    task.deliver();
    if (result.isDelivered()) {
      status = Status.SUCCEEDED;
      abortAll(decisions);
      decisions.add(new Decision.Succeed());
    }
    return decisions;
  }

  /** A result could not be read from its worker, and none of its rows reached the client. */
  public List<Decision> resultLost(AttemptId attempt, WorkerId holder) {
    List<Decision> decisions = new ArrayList<>();
    if (status == Status.RUNNING) {
      outputLost(attempt, holder, decisions);
    }
    return decisions;
  }

  /** Ends the query with an error from outside, a cancellation for example. */
  public List<Decision> end(ErrorInfo error) {
    List<Decision> decisions = new ArrayList<>();
    if (status == Status.RUNNING) {
      fail(error, decisions);
    }
    return decisions;
  }

  /** Ends the query early because the client needs no more rows. */
  public List<Decision> finishEarly() {
    List<Decision> decisions = new ArrayList<>();
    if (status == Status.RUNNING) {
      status = Status.SUCCEEDED;
      abortAll(decisions);
      decisions.add(new Decision.Succeed());
    }
    return decisions;
  }

  private Optional<Map<Integer, List<TaskOutput>>> inputsOf(StageState stage) {
    Map<Integer, List<TaskOutput>> inputs = new LinkedHashMap<>();
    for (int input : stage.definition().inputs()) {
      Optional<List<TaskOutput>> outputs = stages.get(input).outputs();
      if (outputs.isEmpty()) {
        return Optional.empty();
      }
      inputs.put(input, outputs.get());
    }
    return Optional.of(inputs);
  }

  private void launch(
      StageState stage,
      TaskState task,
      Map<Integer, List<TaskOutput>> inputs,
      long nowMillis,
      List<Decision> decisions) {
    Optional<WorkerId> worker =
        placement.choose(
            stage.definition().resources(),
            task.definition().preferredHosts(),
            inputs,
            task.definition().task(),
            task.waitingSince(nowMillis),
            workerFailures,
            nowMillis);
    if (worker.isPresent()) {
      AttemptId attempt = task.start(worker.get());
      pool.reserve(attempt, worker.get(), stage.definition().resources());
      decisions.add(new Decision.Launch(attempt, worker.get(), inputs));
    }
  }

  private void checkStuck(boolean stuck, long nowMillis, List<Decision> decisions) {
    if (!stuck) {
      stuckSinceMillis = Long.MIN_VALUE;
      return;
    }
    if (stuckSinceMillis == Long.MIN_VALUE) {
      stuckSinceMillis = nowMillis;
    }
    if (nowMillis - stuckSinceMillis < policy.workerWaitMillis()) {
      return;
    }
    if (pool.isEmpty()) {
      fail(
          located(
              ErrorInfo.of(
                  ErrorCode.WORKER_LOST,
                  "No worker is left to run the query; start workers and run it again" + reason())),
          decisions);
    } else if (lastFailure != null) {
      fail(located(lastFailure), decisions);
    } else {
      fail(
          located(
              ErrorInfo.of(
                  ErrorCode.NO_SLOTS,
                  "No worker declares the resources that a task of the query needs; add a worker"
                      + " or lower the resources of its functions: needed "
                      + neededResources()
                      + ", declared "
                      + pool.workers().stream()
                          .map(worker -> "[" + worker.total() + "]")
                          .toList())),
          decisions);
    }
  }

  private String reason() {
    return lastFailure == null ? "" : ": " + lastFailure.message();
  }

  private ResourceVector neededResources() {
    ResourceVector needed = ResourceVector.NONE;
    for (StageState stage : stages.values()) {
      needed = needed.max(stage.definition().resources());
    }
    return needed;
  }

  private void taskFailed(
      AttemptId attempt,
      WorkerId worker,
      ErrorInfo error,
      long nowMillis,
      List<Decision> decisions) {
    lastFailure = error;
    if (!error.code().retryable()) {
      fail(error, decisions);
      return;
    }
    workerFailures.merge(worker, 1, Integer::sum);
    countFailure(task(attempt.task()), error, nowMillis, decisions);
  }

  private void countFailure(
      TaskState task, ErrorInfo error, long nowMillis, List<Decision> decisions) {
    int doublings = Math.min(task.failures(), 10);
    task.failed(nowMillis + (policy.retryDelayMillis() << doublings));
    if (task.failures() >= policy.taskAttemptLimit()) {
      fail(
          new ErrorInfo(
              error.code(),
              error.message() + " (tried " + task.failures() + " times)",
              error.detail(),
              error.queryId(),
              error.stage(),
              error.task(),
              error.operator(),
              error.worker(),
              error.udf(),
              error.rows()),
          decisions);
    }
  }

  private void loseWorkerOf(
      TaskState task, WorkerId worker, long nowMillis, List<Decision> decisions) {
    for (Map.Entry<AttemptId, WorkerId> attempt : task.running().entrySet()) {
      if (attempt.getValue().equals(worker)) {
        task.end(attempt.getKey());
        ErrorInfo error =
            ErrorInfo.of(ErrorCode.WORKER_LOST, "A worker was lost while it ran a task: " + worker)
                .inTask(query, task.id().stage(), task.id().task(), worker.value());
        lastFailure = error;
        if (!task.isDone()) {
          countFailure(task, error, nowMillis, decisions);
        }
      }
    }
    if (task.isDelivered() || status != Status.RUNNING) {
      return;
    }
    if (task.output().isPresent() && task.output().get().worker().equals(worker)) {
      loseOutput(task, isNeeded(task.id().stage()), decisions);
    }
  }

  /** Forgets an output; one that is needed counts against the limit of losses. */
  private void loseOutput(TaskState task, boolean needed, List<Decision> decisions) {
    task.loseOutput();
    if (task.id().stage() == result.number()) {
      decisions.add(new Decision.ResultLost(task.id()));
    }
    if (needed && task.outputLosses() >= policy.outputLossLimit()) {
      fail(
          located(
              ErrorInfo.of(
                  ErrorCode.SHUFFLE_LOST,
                  "The output of a task was lost "
                      + task.outputLosses()
                      + " times; check the workers' disks and memory: "
                      + task.id())),
          decisions);
    }
  }

  private void outputLost(AttemptId lost, WorkerId holder, List<Decision> decisions) {
    TaskState task = task(lost.task());
    boolean current =
        task.output()
            .filter(output -> output.attempt().equals(lost) && output.worker().equals(holder))
            .isPresent();
    if (current && !task.isDelivered()) {
      loseOutput(task, true, decisions);
    }
  }

  /**
   * Whether a stage that reads this one still has to run and is needed itself, or its rows are
   * still to be read. A stage that is not needed is not computed again when its outputs are lost.
   */
  private boolean isNeeded(int stage) {
    if (stage == result.number()) {
      return !result.isDelivered();
    }
    return stages.values().stream()
        .anyMatch(
            consumer ->
                consumer.definition().inputs().contains(stage)
                    && !consumer.isComplete()
                    && isNeeded(consumer.number()));
  }

  private void fail(ErrorInfo error, List<Decision> decisions) {
    status = Status.FAILED;
    abortAll(decisions);
    decisions.add(new Decision.Fail(error));
  }

  private void abortAll(List<Decision> decisions) {
    for (StageState stage : stages.values()) {
      for (TaskState task : stage.tasks()) {
        task.running().forEach((attempt, on) -> decisions.add(new Decision.Abort(attempt, on)));
      }
    }
  }

  private ErrorInfo located(ErrorInfo error) {
    return new ErrorInfo(
        error.code(),
        error.message(),
        error.detail(),
        error.queryId().or(() -> Optional.of(query)),
        error.stage(),
        error.task(),
        error.operator(),
        error.worker(),
        error.udf(),
        error.rows());
  }

  private int runningCount() {
    return stages.values().stream().mapToInt(StageState::runningCount).sum();
  }

  private TaskState task(TaskId id) {
    return stages.get(id.stage()).task(id.task());
  }
}
