package io.millrace.cluster.cli;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Ctrl-C and the like: asks the running command to stop and gives it a moment to clean up, so that
 * nothing stays half-written and no process is left behind.
 */
final class StopSignal {
  private static final long CLEAN_UP_SECONDS = 20;

  private final Thread mainThread;
  private final CompletableFuture<Void> requested = new CompletableFuture<>();
  private final CountDownLatch cleanedUp = new CountDownLatch(1);
  private volatile boolean processEnds;
  private final Thread hook = new Thread(this::stop, "stop");

  private StopSignal(Thread mainThread) {
    this.mainThread = mainThread;
  }

  /** Watches for signals on behalf of the calling thread, which is interrupted by one. */
  static StopSignal install() {
    StopSignal signal = new StopSignal(Thread.currentThread());
    Runtime.getRuntime().addShutdownHook(signal.hook);
    return signal;
  }

  private void stop() {
    processEnds = true;
    requested.complete(null);
    if (cleanedUp.getCount() > 0) {
      mainThread.interrupt();
    }
    try {
      cleanedUp.await(CLEAN_UP_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException impossible) {
      Thread.currentThread().interrupt();
    }
  }

  /** Completes when a stop is wanted. */
  CompletableFuture<Void> requested() {
    return requested;
  }

  /** Whether the process is ending by itself, so that nobody may ask it to. */
  boolean processEnds() {
    return processEnds;
  }

  /** Says that the command has ended and cleaned up. */
  void commandEnded() {
    cleanedUp.countDown();
  }
}
