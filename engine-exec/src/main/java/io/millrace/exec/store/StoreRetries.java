package io.millrace.exec.store;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Tries calls of a store again, with growing, jittered pauses between them. Calls block.
 *
 * @param attempts calls at most, the first included
 * @param firstPauseMillis longest pause before the second call; it doubles from call to call
 * @param pauseLimitMillis longest pause
 */
record StoreRetries(int attempts, long firstPauseMillis, long pauseLimitMillis) {

  /** A failure that another attempt may not meet. */
  static final class PassingException extends IOException {
    private static final long serialVersionUID = 1L;

    PassingException(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /** One call. */
  interface StoreCall<T> {
    T run() throws IOException;
  }

  /**
   * @throws IOException the last failure, or the first that does not pass
   */
  <T> T run(StoreCall<T> call) throws IOException {
    for (int attempt = 1; ; attempt++) {
      try {
        return call.run();
      } catch (PassingException problem) {
        if (attempt >= attempts) {
          throw new IOException(
              problem.getMessage() + " (tried " + attempt + " times)", problem.getCause());
        }
        pause(attempt);
      }
    }
  }

  private void pause(int attempt) throws InterruptedIOException {
    long longest = Math.min(pauseLimitMillis, firstPauseMillis << Math.min(20, attempt - 1));
    try {
      Thread.sleep(ThreadLocalRandom.current().nextLong(longest / 2, longest + 1));
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("a wait for a store was interrupted");
    }
  }
}
