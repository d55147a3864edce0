package io.millrace.exec.kernel.logic;

import io.millrace.exec.kernel.BlockKernel;
import io.millrace.exec.kernel.lane.BooleanOutput;
import io.millrace.exec.kernel.lane.DecimalLane;
import io.millrace.exec.kernel.math.Int128;

/** Comparison of decimals, also of different scale. */
final class DecimalComparison extends BlockKernel {
  private final Relation relation;
  private final DecimalLane left;
  private final DecimalLane right;
  private final byte[] truths;
  private final int leftScale;
  private final int rightScale;
  private final long[] scaledHigh = new long[1];
  private final long[] scaledLow = new long[1];

  DecimalComparison(Relation relation, int leftScale, int rightScale) {
    this(
        relation, leftScale, rightScale, new DecimalLane(), new DecimalLane(), new BooleanOutput());
  }

  private DecimalComparison(
      Relation relation,
      int leftScale,
      int rightScale,
      DecimalLane left,
      DecimalLane right,
      BooleanOutput output) {
    super(output, left, right);
    this.relation = relation;
    this.left = left;
    this.right = right;
    this.truths = output.values();
    this.leftScale = leftScale;
    this.rightScale = rightScale;
  }

  @Override
  protected boolean compute(int count) {
    if (leftScale != rightScale) {
      computeScaled(count);
    } else if (left.isNarrow() && right.isNarrow()) {
      computeNarrow(left.low(), right.low(), count);
    } else {
      computeWide(count);
    }
    return false;
  }

  private void computeNarrow(long[] first, long[] second, int count) {
    switch (relation) {
      case EQUAL -> equal(first, second, 1, count);
      case NOT_EQUAL -> equal(first, second, 0, count);
      case LESS -> less(first, second, 1, count);
      case GREATER -> less(second, first, 1, count);
      case LESS_OR_EQUAL -> less(second, first, 0, count);
      case GREATER_OR_EQUAL -> less(first, second, 0, count);
    }
  }

  private void equal(long[] first, long[] second, int whenTrue, int count) {
    int opposite = 1 - whenTrue;
    for (int lane = 0; lane < count; lane++) {
      truths[lane] = (byte) (first[lane] == second[lane] ? whenTrue : opposite);
    }
  }

  private void less(long[] first, long[] second, int whenTrue, int count) {
    int opposite = 1 - whenTrue;
    for (int lane = 0; lane < count; lane++) {
      truths[lane] = (byte) (first[lane] < second[lane] ? whenTrue : opposite);
    }
  }

  private void computeWide(int count) {
    long[] leftHigh = left.high();
    long[] leftLow = left.low();
    long[] rightHigh = right.high();
    long[] rightLow = right.low();
    for (int lane = 0; lane < count; lane++) {
      int order = Int128.compare(leftHigh[lane], leftLow[lane], rightHigh[lane], rightLow[lane]);
      truths[lane] = (byte) (relation.holds(order) ? 1 : 0);
    }
  }

  private void computeScaled(int count) {
    for (int lane = 0; lane < count; lane++) {
      int order = scaledOrder(lane);
      truths[lane] = (byte) (relation.holds(order) ? 1 : 0);
    }
  }

  /** Compares at the larger scale, in 128 bits where they are enough. */
  private int scaledOrder(int lane) {
    long leftHigh = left.high()[lane];
    long leftLow = left.low()[lane];
    long rightHigh = right.high()[lane];
    long rightLow = right.low()[lane];
    int shift = rightScale - leftScale;
    if (shift > 0 && Int128.scaleUp(leftHigh, leftLow, shift, scaledHigh, scaledLow, 0)) {
      return Int128.compare(scaledHigh[0], scaledLow[0], rightHigh, rightLow);
    }
    if (shift < 0 && Int128.scaleUp(rightHigh, rightLow, -shift, scaledHigh, scaledLow, 0)) {
      return Int128.compare(leftHigh, leftLow, scaledHigh[0], scaledLow[0]);
    }
    return Int128.toDecimal(leftHigh, leftLow, leftScale)
        .compareTo(Int128.toDecimal(rightHigh, rightLow, rightScale));
  }
}
