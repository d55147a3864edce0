package io.millrace.exec.operator.window;

import io.millrace.core.plan.WindowFrame;

/**
 * The frame of each row of a block as up to three ranges of rows, in order: what an exclusion
 * leaves of one range.
 */
final class FrameRanges {
  private final WindowBlock block;
  private final WindowFrame.Exclusion exclusion;
  private final int[] starts;
  private final int[] ends;

  /**
   * @param starts first row of each row's frame
   * @param ends end (exclusive) of each row's frame, not before its start
   */
  FrameRanges(WindowBlock block, WindowFrame.Exclusion exclusion, int[] starts, int[] ends) {
    this.block = block;
    this.exclusion = exclusion;
    this.starts = starts;
    this.ends = ends;
  }

  /** Receives the ranges of a row. */
  @FunctionalInterface
  interface RangeTarget {
    void accept(int row, int start, int end);
  }

  boolean excludes() {
    return exclusion != WindowFrame.Exclusion.NO_OTHERS;
  }

  /** First row of each row's frame, exclusion apart. */
  int[] starts() {
    return starts;
  }

  /** End (exclusive) of each row's frame, exclusion apart. */
  int[] ends() {
    return ends;
  }

  /** The parts of a row's frame that have rows, in order. */
  void forEach(int row, RangeTarget target) {
    int start = starts[row];
    int end = ends[row];
    switch (exclusion) {
      case NO_OTHERS -> give(row, start, end, target);
      case CURRENT_ROW -> {
        give(row, start, Math.min(end, row), target);
        give(row, Math.max(start, row + 1), end, target);
      }
      case GROUP -> {
        give(row, start, Math.min(end, block.peerStart(row)), target);
        give(row, Math.max(start, block.peerEnd(row)), end, target);
      }
      case TIES -> {
        give(row, start, Math.min(end, block.peerStart(row)), target);
        give(row, Math.max(start, row), Math.min(end, row + 1), target);
        give(row, Math.max(start, block.peerEnd(row)), end, target);
      }
    }
  }

  private static void give(int row, int start, int end, RangeTarget target) {
    if (start < end) {
      target.accept(row, start, end);
    }
  }
}
