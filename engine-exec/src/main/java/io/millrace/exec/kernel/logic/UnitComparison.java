package io.millrace.exec.kernel.logic;

import io.millrace.core.type.TimeUnit;
import io.millrace.exec.kernel.BlockKernel;
import io.millrace.exec.kernel.lane.BooleanOutput;
import io.millrace.exec.kernel.lane.LongLane;

/** Comparison of timestamps that count different units, without overflow. */
final class UnitComparison extends BlockKernel {
  private final Relation relation;
  private final long[] left;
  private final long[] right;
  private final byte[] truths;
  private final long leftPerSecond;
  private final long rightPerSecond;

  UnitComparison(Relation relation, TimeUnit leftUnit, TimeUnit rightUnit) {
    this(relation, leftUnit, rightUnit, new LongLane(), new LongLane(), new BooleanOutput());
  }

  private UnitComparison(
      Relation relation,
      TimeUnit leftUnit,
      TimeUnit rightUnit,
      LongLane left,
      LongLane right,
      BooleanOutput output) {
    super(output, left, right);
    this.relation = relation;
    this.left = left.values();
    this.right = right.values();
    this.truths = output.values();
    this.leftPerSecond = leftUnit.unitsPerSecond();
    this.rightPerSecond = rightUnit.unitsPerSecond();
  }

  @Override
  protected boolean compute(int count) {
    for (int lane = 0; lane < count; lane++) {
      int order =
          Long.compare(
              Math.floorDiv(left[lane], leftPerSecond), Math.floorDiv(right[lane], rightPerSecond));
      if (order == 0) {
        order =
            Long.compare(
                Math.floorMod(left[lane], leftPerSecond) * rightPerSecond,
                Math.floorMod(right[lane], rightPerSecond) * leftPerSecond);
      }
      truths[lane] = (byte) (relation.holds(order) ? 1 : 0);
    }
    return false;
  }
}
