package io.millrace.exec.kernel.logic;

import io.millrace.exec.kernel.BlockKernel;
import io.millrace.exec.kernel.lane.BooleanOutput;
import io.millrace.exec.kernel.lane.DoubleLane;

/** Comparison of floats: NaN equals NaN and is above all else, −0.0 equals 0.0. */
final class DoubleComparison extends BlockKernel {
  private final Relation relation;
  private final double[] left;
  private final double[] right;
  private final byte[] truths;

  DoubleComparison(Relation relation) {
    this(relation, new DoubleLane(), new DoubleLane(), new BooleanOutput());
  }

  private DoubleComparison(
      Relation relation, DoubleLane left, DoubleLane right, BooleanOutput output) {
    super(output, left, right);
    this.relation = relation;
    this.left = left.values();
    this.right = right.values();
    this.truths = output.values();
  }

  @Override
  protected boolean compute(int count) {
    switch (relation) {
      case EQUAL -> equal(left, right, truths, 1, count);
      case NOT_EQUAL -> equal(left, right, truths, 0, count);
      case LESS -> less(left, right, truths, 1, count);
      case GREATER -> less(right, left, truths, 1, count);
      case LESS_OR_EQUAL -> less(right, left, truths, 0, count);
      case GREATER_OR_EQUAL -> less(left, right, truths, 0, count);
    }
    return false;
  }

  /** Writes {@code whenTrue} for equal values, its opposite for others. */
  private static void equal(double[] left, double[] right, byte[] truths, int whenTrue, int count) {
    int opposite = 1 - whenTrue;
    for (int lane = 0; lane < count; lane++) {
      double first = left[lane];
      double second = right[lane];
      boolean same = first == second | (Double.isNaN(first) & Double.isNaN(second));
      truths[lane] = (byte) (same ? whenTrue : opposite);
    }
  }

  private static void less(double[] left, double[] right, byte[] truths, int whenTrue, int count) {
    int opposite = 1 - whenTrue;
    for (int lane = 0; lane < count; lane++) {
      double first = left[lane];
      double second = right[lane];
      boolean below = first < second | (Double.isNaN(second) & !Double.isNaN(first));
      truths[lane] = (byte) (below ? whenTrue : opposite);
    }
  }
}
