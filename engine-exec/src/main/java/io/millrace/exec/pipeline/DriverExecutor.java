package io.millrace.exec.pipeline;

import io.millrace.core.error.MillraceException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

/**
 * One fixed pool of threads that runs drivers cooperatively: a driver runs for a time slice, then
 * the next has its turn; a driver that waits costs no thread. Works with one thread. Thread-safe.
 */
public final class DriverExecutor implements AutoCloseable {
  private static final long SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final LinkedBlockingQueue<Runnable> turns = new LinkedBlockingQueue<>();
  private final List<Thread> threads = new ArrayList<>();
  private volatile boolean closed;

  /** Starts the threads, daemons all. */
  public static DriverExecutor start(int threadCount) {
    DriverExecutor executor = new DriverExecutor();
    for (int index = 0; index < threadCount; index++) {
      executor.threads.add(
          Thread.ofPlatform().name("millrace-driver-" + index).daemon().start(executor::runTurns));
    }
    return executor;
  }

  private DriverExecutor() {}

  public int threadCount() {
    return threads.size();
  }

  /** Starts all drivers of the pipelines; their end is counted by the task. */
  public void submit(List<Pipeline> pipelines, TaskContext task) {
    List<Turns> started = new ArrayList<>();
    for (Pipeline pipeline : pipelines) {
      for (int driver = 0; driver < pipeline.driverCount(); driver++) {
        started.add(new Turns(pipeline, driver, task));
      }
    }
    started.forEach(driver -> task.begun());
    for (Turns driver : started) {
      task.cancellation().onCancel(driver::wake);
      driver.wake();
    }
  }

  private void runTurns() {
    while (!closed) {
      try {
        turns.take().run();
      } catch (InterruptedException interrupt) {
        // Only close interrupts; the loop's condition sees it.
        continue;
      } catch (Throwable unseen) {
        // The task was told; this thread serves the others.
        continue;
      }
    }
  }

  /** Ends the threads. Tasks must have ended before: what still waits for a turn never gets it. */
  @Override
  public void close() {
    closed = true;
    threads.forEach(Thread::interrupt);
  }

  /**
   * The turns of one driver. A wake-up during a turn is remembered and gives another one, so none
   * is lost; a driver never has two turns at once.
   */
  private final class Turns implements Runnable {
    private enum State {
      WAITING,
      QUEUED,
      RUNNING,
      RUNNING_WOKEN,
      ENDED
    }

    private final Driver driver;
    private final TaskContext task;
    private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);

    Turns(Pipeline pipeline, int number, TaskContext task) {
      this.task = task;
      this.driver = new Driver(pipeline, number, task, this::wake);
    }

    void wake() {
      State before =
          state.getAndUpdate(
              current ->
                  switch (current) {
                    case WAITING -> State.QUEUED;
                    case RUNNING -> State.RUNNING_WOKEN;
                    case QUEUED, RUNNING_WOKEN, ENDED -> current;
                  });
      if (before == State.WAITING) {
        turns.add(this);
      }
    }

    @Override
    public void run() {
      state.set(State.RUNNING);
      switch (slice()) {
        case Driver.Outcome.Yielded yielded -> queueAgain();
        case Driver.Outcome.Waiting waiting -> {
          if (state.compareAndSet(State.RUNNING, State.WAITING)) {
            waiting.ready().whenComplete((nothing, failure) -> wake());
          } else {
            queueAgain();
          }
        }
        case Driver.Outcome.Ended end -> {
          state.set(State.ENDED);
          try {
            if (end.failure() != null) {
              task.cancellation().fail(end.failure());
            }
          } finally {
            task.ended();
          }
        }
      }
    }

    /** Whatever is thrown ends the driver with it. */
    private Driver.Outcome slice() {
      try {
        return driver.runSlice(SLICE_NANOS);
      } catch (Throwable failure) {
        return new Driver.Outcome.Ended(MillraceException.of(failure));
      }
    }

    private void queueAgain() {
      state.set(State.QUEUED);
      turns.add(this);
    }
  }
}
