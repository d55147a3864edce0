package io.millrace.udf.instance;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;

/** The clock of calls with a timeout; its thread starts with the first of them. */
public final class UdfTimeouts implements AutoCloseable {
  private ScheduledExecutorService scheduler;

  synchronized ScheduledExecutorService scheduler() {
    if (scheduler == null) {
      scheduler =
          Executors.newSingleThreadScheduledExecutor(
              Thread.ofPlatform().daemon().name("udf-timeouts").factory());
    }
    return scheduler;
  }

  @Override
  public synchronized void close() {
    if (scheduler != null) {
      scheduler.shutdownNow();
      scheduler = null;
    }
  }
}
