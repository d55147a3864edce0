package io.millrace.lance.read;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import java.util.function.BooleanSupplier;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Looks for free memory before native batches are imported. They are charged when they exist
 * already, and when that fails inside Arrow's import (seen with 19.0.0) the native batch is never
 * released.
 */
final class Headroom {
  /** Estimates come from averages. */
  private static final double SLACK = 1.25;

  private static final long SLACK_BYTES = 64 << 10;
  private static final long POLL_MILLIS = 10;
  private static final long WAIT_LIMIT_MILLIS = 2_000;

  private Headroom() {}

  /**
   * Waits until about so many bytes are free: what was read before may be about to be released.
   *
   * @param stopped ends the wait when true
   * @return false when stopped
   * @throws MillraceException MEMORY_EXHAUSTED when nothing is freed for two seconds
   */
  static boolean await(BufferAllocator allocator, double bytes, BooleanSupplier stopped) {
    long wanted = (long) (bytes * SLACK) + SLACK_BYTES;
    Patience patience = new Patience(WAIT_LIMIT_MILLIS, allocator.getHeadroom(), nowMillis());
    while (!stopped.getAsBoolean()) {
      long free = allocator.getHeadroom();
      if (free >= wanted) {
        return true;
      }
      if (patience.isOver(free, nowMillis())) {
        throw new MillraceException(
            ErrorCode.MEMORY_EXHAUSTED,
            "Memory ran out for rows of a Lance table; raise --memory or lower batch.bytes or"
                + " fetch.bytes: "
                + wanted
                + " bytes wanted, "
                + free
                + " free");
      }
      pause();
    }
    return false;
  }

  private static long nowMillis() {
    return System.nanoTime() / 1_000_000;
  }

  private static void pause() {
    try {
      Thread.sleep(POLL_MILLIS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new MillraceException(
          ErrorCode.CANCELLED, "A read of a Lance table was interrupted", interrupted);
    }
  }
}
