package io.millrace.exec.local;

import io.millrace.core.batch.Batch;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.metrics.QueryProfile;
import io.millrace.core.spi.ResultStream;
import io.millrace.core.spi.Step;
import io.millrace.core.type.Schema;
import io.millrace.exec.build.TaskExecutor;
import io.millrace.exec.build.TaskHandle;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** The rows of a query that runs in this process. */
final class LocalResultStream implements ResultStream {
  private final Schema schema;
  private final ResultQueue results;
  private final TaskExecutor executor;
  private final TaskHandle task;
  private final Runnable onClose;
  private boolean closed;

  /** Takes ownership of queue and executor. */
  LocalResultStream(
      Schema schema,
      ResultQueue results,
      TaskExecutor executor,
      TaskHandle task,
      Runnable onClose) {
    this.schema = schema;
    this.results = results;
    this.executor = executor;
    this.task = task;
    this.onClose = onClose;
    task.completion().whenComplete((nothing, failure) -> results.end());
  }

  @Override
  public Schema schema() {
    return schema;
  }

  @Override
  public Optional<Batch> next() {
    while (true) {
      throwFailure();
      switch (results.queue().poll()) {
        case Step.Output output -> {
          return Optional.of(output.batch());
        }
        case Step.Blocked blocked -> await(blocked.ready());
        case Step.Finished finished -> {
          await(task.completion().handle((nothing, failure) -> null));
          throwFailure();
          return Optional.empty();
        }
        case Step.NeedInput needInput ->
            throw new MillraceException(ErrorCode.INTERNAL_ERROR, "A queue asked for input.");
      }
    }
  }

  private void throwFailure() {
    CompletableFuture<Void> completion = task.completion();
    if (completion.isCompletedExceptionally()) {
      throw MillraceException.of(completion.handle((nothing, failure) -> failure).join());
    }
    if (closed) {
      throw new MillraceException(ErrorCode.CANCELLED, "The result was closed.");
    }
  }

  private void await(CompletableFuture<Void> ready) {
    try {
      ready.get();
    } catch (InterruptedException interrupt) {
      task.cancel();
      Thread.currentThread().interrupt();
      throw new MillraceException(ErrorCode.CANCELLED, "The query was interrupted.", interrupt);
    } catch (ExecutionException failure) {
      throw MillraceException.of(failure);
    }
  }

  @Override
  public QueryProfile profile() {
    return task.profile();
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    task.cancel();
    try {
      results.close();
    } finally {
      try {
        executor.close();
      } finally {
        onClose.run();
      }
    }
  }
}
