package io.millrace.exec.operator.recursion;

import io.millrace.core.spi.BatchSource;
import io.millrace.exec.bridge.BatchQueue;
import java.util.concurrent.CompletableFuture;
import org.apache.arrow.memory.BufferAllocator;

/** Runs the step of a recursive query once. */
public interface StepRunner {

  /** A run. */
  interface Run {
    /** Completes when nothing of it runs any more; fails with the error that it met. */
    CompletableFuture<Void> completion();

    /** Stops it. */
    void cancel();
  }

  /**
   * Starts a run.
   *
   * @param rows what the step reads; owned by the run
   * @param results takes the rows that it gives
   * @param allocator owns those rows' memory from then on
   */
  Run start(BatchSource rows, BatchQueue results, BufferAllocator allocator);
}
