package io.millrace.udf.pool;

import io.millrace.core.spi.UdfEnvironment;
import io.millrace.core.udf.UdfImplementation;
import io.millrace.core.udf.UdfReference;
import io.millrace.udf.instance.InstancePool;
import io.millrace.udf.instance.UdfCall;
import io.millrace.udf.instance.UdfWorker;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Instances of one function on threads of this process, one thread each. */
final class LocalUdfPool extends InstancePool {
  private final List<Thread> threads = new ArrayList<>();
  private int idle;

  LocalUdfPool(
      UdfReference reference, UdfImplementation implementation, UdfEnvironment environment) {
    super(reference, implementation, environment);
  }

  @Override
  protected void provideInstance() {
    synchronized (threads) {
      boolean allBusy = idle <= queue().waitingCount();
      if (!allBusy || threads.size() >= instanceLimit() || queue().isClosed()) {
        return;
      }
      int number = threads.size();
      Thread thread =
          Thread.ofPlatform()
              .daemon()
              .name("udf-" + reference().name() + "-" + number)
              .unstarted(() -> work(number));
      thread.setContextClassLoader(environment().classLoader());
      thread.start();
      threads.add(thread);
    }
  }

  /** Threads that wait for calls wake up by themselves. */
  @Override
  protected void callArrived() {}

  private void work(int number) {
    try (UdfWorker worker = worker(number)) {
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
      return queue().take();
    } catch (InterruptedException closing) {
      return Optional.empty();
    } finally {
      synchronized (threads) {
        idle--;
      }
    }
  }

  @Override
  protected void endInstances(long waitMillis) {
    List<Thread> running;
    synchronized (threads) {
      running = List.copyOf(threads);
    }
    running.forEach(Thread::interrupt);
    boolean interrupted = false;
    long deadline = System.nanoTime() + waitMillis * 1_000_000;
    for (Thread thread : running) {
      long left = Math.max(1, (deadline - System.nanoTime()) / 1_000_000);
      try {
        thread.join(left);
      } catch (InterruptedException wanted) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
