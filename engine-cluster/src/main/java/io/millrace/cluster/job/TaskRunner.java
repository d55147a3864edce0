package io.millrace.cluster.job;

import io.millrace.cluster.actor.TaskHost;
import io.millrace.cluster.protocol.CoordinatorMessage;
import io.millrace.cluster.protocol.MessageCodec;
import io.millrace.cluster.protocol.ProfileCodec;
import io.millrace.cluster.protocol.TaskSetup;
import io.millrace.cluster.schedule.AttemptId;
import io.millrace.cluster.schedule.TaskFailure;
import io.millrace.cluster.schedule.TaskOutput;
import io.millrace.core.error.ErrorInfo;
import io.millrace.exec.build.TaskExecutor;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Carries out what the coordinator asks of a worker, each task on a thread of its own. */
final class TaskRunner implements TaskHost, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TaskRunner.class);

  /** A larger profile is left out of the report, which must stay a small message. */
  private static final int METRICS_LIMIT_BYTES = MessageCodec.MESSAGE_LIMIT_BYTES / 2;

  private final RunningTask.Host host;
  private final CoordinatorClient coordinator;
  private final JarStore jars;
  private final CompletableFuture<TaskExecutors> executors = new CompletableFuture<>();
  private final Map<String, WorkerQuery> queries = new ConcurrentHashMap<>();
  private final Map<AttemptId, RunningTask> running = new ConcurrentHashMap<>();
  private final CompletableFuture<Void> accepted = new CompletableFuture<>();
  private final CompletableFuture<ErrorInfo> rejected = new CompletableFuture<>();
  private volatile Consumer<CoordinatorMessage> reports = message -> {};

  TaskRunner(RunningTask.Host host, CoordinatorClient coordinator, JarStore jars) {
    this.host = host;
    this.coordinator = coordinator;
    this.jars = jars;
  }

  /**
   * Lets tasks run, which wait for this.
   *
   * @param ready run the tasks; owned by this object from here
   * @param target where reports go
   */
  void open(TaskExecutors ready, Consumer<CoordinatorMessage> target) {
    reports = target;
    executors.complete(ready);
  }

  /** Completes when the coordinator took the worker. */
  CompletableFuture<Void> whenAccepted() {
    return accepted;
  }

  /** Completes when the coordinator turned the worker away. */
  CompletableFuture<ErrorInfo> whenRejected() {
    return rejected;
  }

  @Override
  public void accepted() {
    accepted.complete(null);
  }

  @Override
  public void rejected(ErrorInfo error) {
    rejected.complete(error);
  }

  @Override
  public void launch(AttemptId attempt) {
    RunningTask task = new RunningTask(attempt, host);
    running.put(attempt, task);
    host.blockingWork().execute(() -> run(task));
  }

  private void run(RunningTask task) {
    AttemptId attempt = task.attempt();
    CoordinatorMessage report;
    try {
      WorkerQuery query =
          queries.computeIfAbsent(
              attempt.task().query(),
              id -> new WorkerQuery(id, coordinator, jars, executors.join()));
      TaskExecutor executor = query.executor();
      TaskSetup setup = coordinator.task(attempt);
      RunningTask.Result result =
          task.run(executor, query.stage(attempt.task().stage()), setup, query.configuration());
      byte[] metrics = ProfileCodec.encode(result.profile());
      report =
          new CoordinatorMessage.TaskSucceeded(
              new TaskOutput(attempt, host.worker(), result.partitionBytes()),
              metrics.length > METRICS_LIMIT_BYTES ? new byte[0] : metrics);
    } catch (RuntimeException | Error problem) {
      TaskFailure failure = task.failure(problem);
      LOG.debug("A task failed: {}", attempt, problem);
      report = new CoordinatorMessage.TaskFailed(attempt, failure);
    }
    running.remove(attempt);
    reports.accept(report);
  }

  @Override
  public void abort(AttemptId attempt) {
    RunningTask task = running.get(attempt);
    if (task != null) {
      host.blockingWork().execute(task::abort);
    }
  }

  @Override
  public void dropOutput(AttemptId attempt) {
    host.blockingWork().execute(() -> host.store().drop(attempt));
  }

  @Override
  public void release(String id) {
    host.blockingWork()
        .execute(
            () -> {
              dropQuery(id);
              reports.accept(new CoordinatorMessage.QueryReleased(id, host.worker()));
            });
  }

  private void dropQuery(String id) {
    running.values().stream()
        .filter(task -> task.attempt().task().query().equals(id))
        .forEach(RunningTask::abort);
    WorkerQuery query = queries.remove(id);
    if (query != null) {
      try {
        query.close();
      } catch (RuntimeException | Error failure) {
        LOG.error("A query did not end cleanly: {}", id, failure);
      }
    }
    host.store().dropQuery(id);
  }

  /** Stops everything; blocks. */
  @Override
  public void close() {
    List.copyOf(queries.keySet()).forEach(this::dropQuery);
    executors.cancel(false);
    if (!executors.isCompletedExceptionally()) {
      executors.join().close();
    }
    jars.close();
  }
}
