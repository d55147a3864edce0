package io.millrace.exec.kernel.logic;

import io.millrace.exec.kernel.BlockKernel;
import io.millrace.exec.kernel.lane.BooleanOutput;
import io.millrace.exec.kernel.lane.LongLane;

/** Comparison of integers, dates and other counts. */
final class LongComparison extends BlockKernel {
  private final Relation relation;
  private final long[] left;
  private final long[] right;
  private final byte[] truths;

  /** Turns unsigned order into signed order. */
  private final long flip;

  LongComparison(Relation relation, boolean unsigned) {
    this(relation, unsigned, new LongLane(), new LongLane(), new BooleanOutput());
  }

  private LongComparison(
      Relation relation, boolean unsigned, LongLane left, LongLane right, BooleanOutput output) {
    super(output, left, right);
    this.relation = relation;
    this.left = left.values();
    this.right = right.values();
    this.truths = output.values();
    this.flip = unsigned ? Long.MIN_VALUE : 0;
  }

  @Override
  protected boolean compute(int count) {
    switch (relation) {
      case EQUAL -> equal(left, right, truths, count);
      case NOT_EQUAL -> notEqual(left, right, truths, count);
      case LESS -> less(left, right, truths, count);
      case GREATER -> less(right, left, truths, count);
      case LESS_OR_EQUAL -> lessOrEqual(left, right, truths, count);
      case GREATER_OR_EQUAL -> lessOrEqual(right, left, truths, count);
    }
    return false;
  }

  private static void equal(long[] left, long[] right, byte[] truths, int count) {
    for (int lane = 0; lane < count; lane++) {
      truths[lane] = (byte) (left[lane] == right[lane] ? 1 : 0);
    }
  }

  private static void notEqual(long[] left, long[] right, byte[] truths, int count) {
    for (int lane = 0; lane < count; lane++) {
      truths[lane] = (byte) (left[lane] != right[lane] ? 1 : 0);
    }
  }

  private void less(long[] left, long[] right, byte[] truths, int count) {
    long mask = flip;
    for (int lane = 0; lane < count; lane++) {
      truths[lane] = (byte) ((left[lane] ^ mask) < (right[lane] ^ mask) ? 1 : 0);
    }
  }

  private void lessOrEqual(long[] left, long[] right, byte[] truths, int count) {
    long mask = flip;
    for (int lane = 0; lane < count; lane++) {
      truths[lane] = (byte) ((left[lane] ^ mask) <= (right[lane] ^ mask) ? 1 : 0);
    }
  }
}
