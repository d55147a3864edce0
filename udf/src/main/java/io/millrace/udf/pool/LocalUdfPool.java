package io.millrace.udf.pool;

import io.millrace.core.batch.Batch;
import io.millrace.core.batch.ColumnVector;
import io.millrace.core.spi.UdfEnvironment;
import io.millrace.core.spi.UdfPool;
import io.millrace.core.udf.UdfImplementation;
import io.millrace.core.udf.UdfReference;
import io.millrace.udf.instance.UdfCall;
import io.millrace.udf.instance.UdfQueue;
import io.millrace.udf.instance.UdfSlots;
import io.millrace.udf.instance.UdfStatistics;
import io.millrace.udf.instance.UdfTimeouts;
import io.millrace.udf.instance.UdfWorker;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Instances of one function on threads of this process, one thread each, started as calls come. */
final class LocalUdfPool implements UdfPool {
  private static final int CALLS_PER_INSTANCE = 2;

  /** A function that ignores its interrupt keeps its thread; closing does not wait for ever. */
  private static final long CLOSE_WAIT_MILLIS = 10_000;

  private final UdfReference reference;
  private final UdfImplementation implementation;
  private final UdfEnvironment environment;
  private final int instanceLimit;
  private final UdfQueue queue = new UdfQueue();
  private final UdfStatistics statistics = new UdfStatistics();
  private final UdfTimeouts timeouts = new UdfTimeouts();
  private final List<Thread> threads = new ArrayList<>();
  private int idle;

  LocalUdfPool(
      UdfReference reference, UdfImplementation implementation, UdfEnvironment environment) {
    this.reference = reference;
    this.implementation = implementation;
    this.environment = environment;
    this.instanceLimit = UdfSlots.instanceLimit(reference, environment);
  }

  @Override
  public CompletableFuture<ColumnVector> call(Batch arguments) {
    UdfCall call = new UdfCall(arguments.move());
    synchronized (threads) {
      if (idle <= queue.waitingCount() && threads.size() < instanceLimit && !queue.isClosed()) {
        int number = threads.size();
        Thread thread =
            Thread.ofPlatform()
                .daemon()
                .name("udf-" + reference.name() + "-" + number)
                .unstarted(() -> work(number));
        thread.setContextClassLoader(environment.classLoader());
        threads.add(thread);
        thread.start();
      }
    }
    queue.put(call);
    return call.result();
  }

  private void work(int number) {
    try (UdfWorker worker =
        new UdfWorker(reference, implementation, environment, number, statistics, timeouts)) {
      while (true) {
        Optional<UdfCall> call = next();
        if (call.isEmpty()) {
          return;
        }
        worker.run(call.get());
      }
    }
  }

  private Optional<UdfCall> next() {
    synchronized (threads) {
      idle++;
    }
    try {
      return queue.take();
    } catch (InterruptedException closing) {
      return Optional.empty();
    } finally {
      synchronized (threads) {
        idle--;
      }
    }
  }

  @Override
  public int inFlightLimit() {
    return instanceLimit * CALLS_PER_INSTANCE;
  }

  @Override
  public UdfCounters counters() {
    return statistics.counters();
  }

  @Override
  public void close() {
    queue.close();
    List<Thread> running;
    synchronized (threads) {
      running = List.copyOf(threads);
    }
    running.forEach(Thread::interrupt);
    boolean interrupted = false;
    long deadline = System.nanoTime() + CLOSE_WAIT_MILLIS * 1_000_000;
    for (Thread thread : running) {
      long left = Math.max(1, (deadline - System.nanoTime()) / 1_000_000);
      try {
        thread.join(left);
      } catch (InterruptedException wanted) {
        interrupted = true;
      }
    }
    timeouts.close();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
