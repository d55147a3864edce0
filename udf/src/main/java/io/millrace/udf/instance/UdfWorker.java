package io.millrace.udf.instance;

import io.millrace.core.batch.ColumnVector;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.ErrorInfo;
import io.millrace.core.error.MillraceException;
import io.millrace.core.spi.UdfEnvironment;
import io.millrace.core.udf.UdfContext;
import io.millrace.core.udf.UdfImplementation;
import io.millrace.core.udf.UdfReference;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * Runs calls on one instance: opens it before the first call, replaces it after a failure, tries
 * again as often as the options say. One thread at a time uses it, a thread of a local pool or an
 * actor.
 */
public final class UdfWorker implements AutoCloseable {
  private final UdfReference reference;
  private final UdfImplementation implementation;
  private final UdfEnvironment environment;
  private final int number;
  private final UdfStatistics statistics;
  private final UdfTimeouts timeouts;
  private UdfInstance instance;
  private Thread runner;

  public UdfWorker(
      UdfReference reference,
      UdfImplementation implementation,
      UdfEnvironment environment,
      int number,
      UdfStatistics statistics,
      UdfTimeouts timeouts) {
    this.reference = reference;
    this.implementation = implementation;
    this.environment = environment;
    this.number = number;
    this.statistics = statistics;
    this.timeouts = timeouts;
  }

  /** Runs a call to its end; never throws, the call's future tells. */
  public void run(UdfCall call) {
    setRunner(Thread.currentThread());
    try {
      runToItsEnd(call);
    } finally {
      setRunner(null);
    }
  }

  private synchronized void setRunner(Thread thread) {
    runner = thread;
  }

  /** Interrupts the call that runs, if one does; for closing a pool, from another thread. */
  public synchronized void interrupt() {
    if (runner != null) {
      runner.interrupt();
    }
  }

  private void runToItsEnd(UdfCall call) {
    if (call.result().isDone()) {
      call.fail(new MillraceException(ErrorCode.CANCELLED, "The call was cancelled."));
      return;
    }
    long start = System.nanoTime();
    int rows = call.arguments().rowCount();
    int attempts = 1 + reference.options().retries();
    for (int attempt = 1; ; attempt++) {
      try {
        ColumnVector value = attempt(call);
        // Counted first: whoever has the last result may read the counters at once.
        statistics.succeeded(rows, System.nanoTime() - start);
        call.succeed(value);
        return;
      } catch (Throwable problem) {
        statistics.failed(System.nanoTime() - start);
        close();
        boolean interrupted = Thread.currentThread().isInterrupted();
        if (attempt < attempts && !interrupted) {
          statistics.retried();
          start = System.nanoTime();
          continue;
        }
        endFailed(call, rows, problem);
        return;
      }
    }
  }

  /** Ends a call that failed for good, with nulls or with its error; never throws. */
  private void endFailed(UdfCall call, int rows, Throwable problem) {
    try {
      if (UdfInstance.nullsOnError(reference) && isUserError(problem)) {
        call.succeed(UdfInstance.nulls(reference, rows, environment.allocator()));
      } else {
        call.fail(problem);
      }
    } catch (Throwable second) {
      problem.addSuppressed(second);
      call.fail(problem);
    }
  }

  private static boolean isUserError(Throwable problem) {
    return problem instanceof MillraceException known
        && (known.code() == ErrorCode.UDF_FAILED || known.code() == ErrorCode.UDF_TIMEOUT);
  }

  private ColumnVector attempt(UdfCall call) {
    if (instance == null) {
      UdfInstance fresh =
          new UdfInstance(
              reference,
              implementation,
              new UdfContext(reference.name(), environment.queryId(), number, environment.worker()),
              environment.allocator());
      instance = fresh;
      fresh.open();
      statistics.loaded();
    }
    long limitMillis = reference.options().timeoutMillis();
    if (limitMillis == 0) {
      return instance.call(call.arguments());
    }
    UdfAlarm alarm = new UdfAlarm(Thread.currentThread());
    ScheduledFuture<?> ring =
        timeouts.scheduler().schedule(alarm::ring, limitMillis, TimeUnit.MILLISECONDS);
    ColumnVector value = null;
    RuntimeException failed = null;
    try {
      value = instance.call(call.arguments());
    } catch (RuntimeException problem) {
      failed = problem;
    } finally {
      ring.cancel(false);
      if (alarm.end() && failed != null) {
        failed = timedOut(limitMillis, failed);
      }
    }
    if (failed != null) {
      throw failed;
    }
    return value;
  }

  private MillraceException timedOut(long limitMillis, RuntimeException problem) {
    return new MillraceException(
        ErrorInfo.of(
                ErrorCode.UDF_TIMEOUT,
                "The function took longer than its timeout; raise it or lower batchRows: "
                    + reference.name()
                    + ", "
                    + limitMillis
                    + " ms")
            .inUdf(reference.name(), ""),
        problem);
  }

  /** Closes the instance; the next call would open another. */
  @Override
  public void close() {
    if (instance != null) {
      instance.close();
      instance = null;
    }
  }
}
