package io.millrace.cluster.cli;

import io.millrace.core.metrics.OperatorProfile;
import io.millrace.core.metrics.QueryProfile;
import java.io.PrintStream;
import java.util.Locale;
import java.util.function.Supplier;

/**
 * One line on the error stream that says how long a query has run and how much it has read; wiped
 * out when the query ends. Nothing is shown for quick queries, and nothing when nobody looks.
 */
final class ProgressLine implements AutoCloseable {
  private static final long FIRST_MILLIS = 1_500;
  private static final long REFRESH_MILLIS = 500;
  private static final String WIPE = "\r\u001b[K";
  private static final String SCAN_NAME = "Scan";

  private final Supplier<QueryProfile> profile;
  private final PrintStream err;
  private final long startNanos = System.nanoTime();
  private final Thread thread;

  private ProgressLine(Supplier<QueryProfile> profile, PrintStream err) {
    this.profile = profile;
    this.err = err;
    this.thread = Thread.ofVirtual().name("progress").unstarted(this::show);
  }

  /**
   * Starts showing.
   *
   * @param profile what the query did so far
   */
  static ProgressLine start(Supplier<QueryProfile> profile, PrintStream err) {
    ProgressLine line = new ProgressLine(profile, err);
    line.thread.start();
    return line;
  }

  private void show() {
    boolean shown = false;
    try {
      Thread.sleep(FIRST_MILLIS);
      while (Terminal.isInteractive()) {
        err.print(WIPE + text(System.nanoTime() - startNanos, profile.get()));
        err.flush();
        shown = true;
        Thread.sleep(REFRESH_MILLIS);
      }
    } catch (InterruptedException queryEnded) {
      if (shown) {
        err.print(WIPE);
        err.flush();
      }
    }
  }

  /** The line for a moment of a query. */
  static String text(long elapsedNanos, QueryProfile profile) {
    long rows = 0;
    long bytes = 0;
    for (OperatorProfile operator : profile.operators()) {
      if (operator.name().equals(SCAN_NAME)) {
        rows += operator.rowsOut();
      }
      bytes += operator.readBytes() + operator.fetchedBytes();
    }
    String elapsed = String.format(Locale.ROOT, "%.1f s", elapsedNanos / 1e9);
    return rows + bytes == 0
        ? elapsed
        : String.format(
            Locale.ROOT, "%s, %,d rows and %.1f MiB read", elapsed, rows, bytes / 1048576.0);
  }

  /** Wipes the line out. */
  @Override
  public void close() {
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException cancelled) {
      Thread.currentThread().interrupt();
    }
  }
}
