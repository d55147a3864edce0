package io.millrace.exec.operator.window;

import io.millrace.core.batch.ColumnVector;
import org.apache.arrow.memory.BufferAllocator;

/** Computes one call over a block. Used by one thread at a time. */
interface WindowEvaluator {

  /**
   * One value per row, owned by the caller.
   *
   * @param frames the rows that each row sees; null for functions that look at no frame
   */
  ColumnVector evaluate(WindowBlock block, FrameRanges frames, BufferAllocator allocator);
}
