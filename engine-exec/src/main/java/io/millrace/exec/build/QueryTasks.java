package io.millrace.exec.build;

import io.millrace.core.config.Configuration;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.memory.MemoryScope;
import io.millrace.core.metrics.QueryProfile;
import io.millrace.core.spi.BatchSource;
import io.millrace.exec.pipeline.Pipeline;
import io.millrace.exec.pipeline.TaskContext;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** One query's tasks in this process. */
final class QueryTasks implements TaskExecutor {
  private final ExecutionEnvironment environment;
  private final Configuration configuration;
  private final MemoryScope memory;
  private final UdfPools udfPools;

  // Guarded by this.
  private final Set<RunningTask> running = new LinkedHashSet<>();
  private boolean closed;

  QueryTasks(
      ExecutionEnvironment environment,
      String queryId,
      Configuration configuration,
      ClassLoader classLoader,
      MemoryScope memory) {
    this.environment = environment;
    this.configuration = configuration;
    this.memory = memory;
    this.udfPools = new UdfPools(environment, queryId, classLoader, memory);
  }

  private record RunningTask(TaskContext context) implements TaskHandle {
    @Override
    public CompletableFuture<Void> completion() {
      return context.completion();
    }

    @Override
    public void cancel() {
      context.cancellation().cancel();
    }

    @Override
    public QueryProfile profile() {
      return context.profile();
    }
  }

  @Override
  public TaskHandle start(TaskRequest request) {
    TaskContext context = openContext(request);
    RunningTask task = new RunningTask(context);
    List<Pipeline> pipelines;
    try {
      pipelines = new PipelineBuilder(environment, udfPools, this, request, context).build();
    } catch (RuntimeException | Error failure) {
      closeInputs(request);
      context.cancellation().fail(MillraceException.of(failure));
      context.started();
      throw failure;
    }
    synchronized (this) {
      running.add(task);
    }
    context.completion().whenComplete((nothing, failure) -> ended(task));
    environment.drivers().submit(pipelines, context);
    context.started();
    return task;
  }

  private synchronized TaskContext openContext(TaskRequest request) {
    if (closed) {
      closeInputs(request);
      throw new MillraceException(ErrorCode.CANCELLED, "The query has ended.");
    }
    return new TaskContext(
        request.stage(),
        memory.open("task-" + request.stage() + "." + request.task()),
        configuration,
        environment.connectorContext().blockingWork());
  }

  private static void closeInputs(TaskRequest request) {
    request.inputs().values().forEach(input -> input.sources().forEach(BatchSource::close));
  }

  private synchronized void ended(RunningTask task) {
    running.remove(task);
  }

  @Override
  public void close() {
    List<RunningTask> last;
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
      last = List.copyOf(running);
    }
    last.forEach(RunningTask::cancel);
    for (RunningTask task : last) {
      task.completion().handle((nothing, failure) -> failure).join();
    }
    try {
      udfPools.close();
    } finally {
      memory.close();
    }
  }
}
