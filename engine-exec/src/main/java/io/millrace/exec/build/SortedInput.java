package io.millrace.exec.build;

import io.millrace.core.spi.BatchSource;
import io.millrace.core.spi.Step;
import io.millrace.exec.bridge.BatchQueue;
import io.millrace.exec.operator.sort.SortedMerge;

/** Sources as inputs of a merge. */
final class SortedInput {
  private SortedInput() {}

  static SortedMerge.Input of(BatchSource source) {
    return new SortedMerge.Input() {
      @Override
      public Step poll() {
        return source.poll();
      }

      @Override
      public void close() {
        source.close();
      }
    };
  }

  static SortedMerge.Input of(BatchQueue queue) {
    return new SortedMerge.Input() {
      private boolean closed;

      @Override
      public Step poll() {
        return queue.poll();
      }

      @Override
      public void close() {
        if (!closed) {
          closed = true;
          queue.consumerEnded();
        }
      }
    };
  }
}
