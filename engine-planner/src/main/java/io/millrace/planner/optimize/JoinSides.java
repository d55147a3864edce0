package io.millrace.planner.optimize;

import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.util.ImmutableBitSet;

/** Tells which side of a join an expression over both reads. */
record JoinSides(int leftColumns) {
  JoinSides(Join join) {
    this(join.getLeft().getRowType().getFieldCount());
  }

  /** Reads left columns and no others. */
  boolean isLeft(RexNode expression) {
    ImmutableBitSet columns = Rewriting.columnsOf(expression);
    return !columns.isEmpty() && columns.length() <= leftColumns;
  }

  /** Reads right columns and no others. */
  boolean isRight(RexNode expression) {
    ImmutableBitSet columns = Rewriting.columnsOf(expression);
    return !columns.isEmpty() && columns.nextSetBit(0) >= leftColumns;
  }

  /** The expression over the right side's own columns. */
  RexNode asRight(RexNode expression) {
    return RexUtil.shift(expression, -leftColumns);
  }
}
