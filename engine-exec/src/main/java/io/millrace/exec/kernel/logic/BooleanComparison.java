package io.millrace.exec.kernel.logic;

import io.millrace.exec.kernel.BlockKernel;
import io.millrace.exec.kernel.lane.BooleanLane;
import io.millrace.exec.kernel.lane.BooleanOutput;

/** Comparison of booleans: false comes before true. */
final class BooleanComparison extends BlockKernel {
  private final Relation relation;
  private final byte[] left;
  private final byte[] right;
  private final byte[] truths;

  BooleanComparison(Relation relation) {
    this(relation, new BooleanLane(), new BooleanLane(), new BooleanOutput());
  }

  private BooleanComparison(
      Relation relation, BooleanLane left, BooleanLane right, BooleanOutput output) {
    super(output, left, right);
    this.relation = relation;
    this.left = left.values();
    this.right = right.values();
    this.truths = output.values();
  }

  @Override
  protected boolean compute(int count) {
    for (int lane = 0; lane < count; lane++) {
      truths[lane] = (byte) (relation.holds(left[lane] - right[lane]) ? 1 : 0);
    }
    return false;
  }
}
