package io.millrace.udf.instance;

/**
 * The end of a call that takes too long: interrupts its thread, and only while the call runs, so
 * that a late ring never meets the thread's next call.
 */
final class UdfAlarm {
  private final Thread runner;

  // Guarded by this.
  private boolean rang;
  private boolean ended;

  UdfAlarm(Thread runner) {
    this.runner = runner;
  }

  /** The time is over; does nothing when the call has ended. */
  synchronized void ring() {
    if (!ended) {
      rang = true;
      runner.interrupt();
    }
  }

  /** Called by the runner when its call has ended; whether it took too long. */
  synchronized boolean end() {
    ended = true;
    if (rang) {
      Thread.interrupted();
    }
    return rang;
  }
}
