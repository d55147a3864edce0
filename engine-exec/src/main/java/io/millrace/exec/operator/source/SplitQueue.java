package io.millrace.exec.operator.source;

import io.millrace.core.spi.Split;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;

/** The splits of one scan, shared by its drivers: whoever is free takes the next. Thread-safe. */
public final class SplitQueue {
  private final Queue<Split> splits;

  public SplitQueue(List<Split> splits) {
    this.splits = new ArrayDeque<>(splits);
  }

  /** The next split; empty when none is left. */
  public synchronized Optional<Split> take() {
    return Optional.ofNullable(splits.poll());
  }
}
