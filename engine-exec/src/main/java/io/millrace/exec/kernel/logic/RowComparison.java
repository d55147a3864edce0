package io.millrace.exec.kernel.logic;

import io.millrace.core.type.DataType;
import io.millrace.exec.kernel.BlockKernel;
import io.millrace.exec.kernel.lane.BooleanOutput;
import io.millrace.exec.kernel.lane.RowLane;

/** Comparison of lists, structs and other values that are no primitives, row by row. */
final class RowComparison extends BlockKernel {
  private final Relation relation;
  private final ValueOrder order;
  private final RowLane left;
  private final RowLane right;
  private final byte[] truths;

  RowComparison(Relation relation, DataType type) {
    this(relation, ValueOrder.of(type), new RowLane(), new RowLane(), new BooleanOutput());
  }

  private RowComparison(
      Relation relation, ValueOrder order, RowLane left, RowLane right, BooleanOutput output) {
    super(output, left, right);
    this.relation = relation;
    this.order = order;
    this.left = left;
    this.right = right;
    this.truths = output.values();
  }

  @Override
  protected boolean compute(int count) {
    if (left.isEmpty() || right.isEmpty()) {
      return false;
    }
    for (int lane = 0; lane < count; lane++) {
      int firstRow = left.rows()[lane];
      int secondRow = right.rows()[lane];
      boolean hidden = left.flat().isNull(firstRow) || right.flat().isNull(secondRow);
      int sign = hidden ? 0 : order.compare(left.flat(), firstRow, right.flat(), secondRow);
      truths[lane] = (byte) (relation.holds(sign) ? 1 : 0);
    }
    return false;
  }
}
