package io.millrace.exec.build;

import io.millrace.core.batch.Batch;
import io.millrace.core.plan.Partitioning;
import io.millrace.core.plan.PhysicalPlan;
import io.millrace.core.spi.BatchSource;
import io.millrace.exec.bridge.BatchQueue;
import io.millrace.exec.operator.recursion.StepRunner;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.arrow.memory.BufferAllocator;

/** Runs the step of a recursive query as a task beside the one that asks for it. */
final class StepTasks implements StepRunner {
  private final PhysicalPlan.Recursion plan;
  private final TaskRequest request;
  private final TaskExecutor executor;

  StepTasks(PhysicalPlan.Recursion plan, TaskRequest request, TaskExecutor executor) {
    this.plan = plan;
    this.request = request;
    this.executor = executor;
  }

  /** Rows that outlive the task that gives them. */
  private record Results(BatchQueue queue, BufferAllocator allocator) implements TaskOutput {
    @Override
    public CompletableFuture<Void> ready() {
      return queue.ready();
    }

    @Override
    public void add(int partition, Batch batch) {
      queue.put(batch.transferTo(allocator));
    }

    @Override
    public boolean isSatisfied() {
      return queue.isSatisfied();
    }
  }

  private record TaskRun(TaskHandle task) implements Run {
    @Override
    public CompletableFuture<Void> completion() {
      return task.completion();
    }

    @Override
    public void cancel() {
      task.cancel();
    }
  }

  @Override
  public Run start(BatchSource rows, BatchQueue results, BufferAllocator allocator) {
    return new TaskRun(
        executor.start(
            new TaskRequest(
                request.stage(),
                request.task(),
                request.attemptId(),
                plan.step(),
                Map.of(plan.workTable(), new TaskInput(List.of(rows), List.of())),
                Partitioning.SINGLE,
                1,
                new Results(results, allocator),
                request.parallelism())));
  }
}
