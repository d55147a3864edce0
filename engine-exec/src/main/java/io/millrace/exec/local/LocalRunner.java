package io.millrace.exec.local;

import io.millrace.core.config.Configuration;
import io.millrace.core.config.Settings;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.memory.RevocableOwner;
import io.millrace.core.plan.Partitioning;
import io.millrace.core.plan.PhysicalPlan;
import io.millrace.core.spi.QueryRequest;
import io.millrace.core.spi.QueryRunner;
import io.millrace.core.spi.ResultStream;
import io.millrace.exec.build.ExecutionEnvironment;
import io.millrace.exec.build.TaskExecutor;
import io.millrace.exec.build.TaskHandle;
import io.millrace.exec.build.TaskRequest;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Runs each query as one task of this process. */
public final class LocalRunner implements QueryRunner {
  /** The part of the memory budget that results may fill before the client takes them. */
  private static final int QUEUE_SHARE = 16;

  private final ExecutionEnvironment environment;

  // Guarded by this.
  private final Set<ResultStream> open = new LinkedHashSet<>();
  private boolean closed;

  /** Takes ownership of the environment. */
  public LocalRunner(ExecutionEnvironment environment) {
    this.environment = environment;
  }

  @Override
  public ResultStream run(QueryRequest request) {
    requireOpen();
    Configuration configuration = request.configuration();
    ResultQueue results =
        new ResultQueue(
            Math.min(
                configuration.value(Settings.QUEUE_BYTES),
                environment.memory().pool().limitBytes() / QUEUE_SHARE),
            environment
                .memory()
                .pool()
                .openReservation("result of " + request.queryId(), RevocableOwner.NONE));
    TaskExecutor executor = null;
    try {
      executor = environment.openQuery(request.queryId(), configuration, request.classLoader());
      return start(request, results, executor);
    } catch (RuntimeException | Error failure) {
      results.close();
      if (executor != null) {
        executor.close();
      }
      throw failure;
    }
  }

  private ResultStream start(QueryRequest request, ResultQueue results, TaskExecutor executor) {
    PhysicalPlan plan = request.plan();
    TaskHandle task =
        executor.start(
            new TaskRequest(
                0,
                0,
                request.queryId(),
                plan,
                Map.of(),
                Partitioning.SINGLE,
                1,
                results,
                parallelism(request.configuration())));
    ResultStream[] self = new ResultStream[1];
    LocalResultStream stream =
        new LocalResultStream(plan.outputSchema(), results, executor, task, () -> forget(self[0]));
    self[0] = stream;
    synchronized (this) {
      open.add(stream);
    }
    return stream;
  }

  private synchronized void forget(ResultStream stream) {
    open.remove(stream);
  }

  private synchronized void requireOpen() {
    if (closed) {
      throw new MillraceException(ErrorCode.CANCELLED, "The session was closed.");
    }
  }

  private int parallelism(Configuration configuration) {
    if (configuration.value(Settings.DETERMINISTIC)) {
      // One driver per pipeline: rows come, and floats add up, in one order only.
      return 1;
    }
    int threads = configuration.value(Settings.THREADS);
    return threads == 0 ? environment.drivers().threadCount() : threads;
  }

  @Override
  public int parallelism() {
    return environment.drivers().threadCount();
  }

  @Override
  public void close() {
    List<ResultStream> last;
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
      last = List.copyOf(open);
    }
    last.forEach(ResultStream::close);
    environment.close();
  }
}
