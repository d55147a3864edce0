package io.millrace.exec.format.output;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import java.io.IOException;

/**
 * Runs work on a store and names the target in its failures.
 *
 * @param target as the user wrote it
 */
record StoreCalls(String target) {

  /** Work that may fail because of the store. */
  interface StoreWork {
    void run() throws IOException;
  }

  /**
   * @throws MillraceException DISK_EXHAUSTED, IO_FAILED
   */
  void run(StoreWork work) {
    try {
      work.run();
    } catch (IOException problem) {
      boolean full = String.valueOf(problem.getMessage()).contains("No space left");
      throw new MillraceException(
          full ? ErrorCode.DISK_EXHAUSTED : ErrorCode.IO_FAILED,
          "The files cannot be written: '" + target + "': " + problem,
          problem);
    }
  }
}
