package io.millrace.planner.logical;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * A join's condition as keys that must be equal and what else must hold.
 *
 * @param residual over the columns of both sides; TRUE when nothing remains
 */
public record JoinCondition(List<Key> keys, RexNode residual) {

  /**
   * One pair of keys.
   *
   * @param left over the left side's columns
   * @param right over the right side's own columns
   * @param nullSafe whether null equals null
   */
  public record Key(RexNode left, RexNode right, boolean nullSafe) {}

  public static JoinCondition of(Join join) {
    RexBuilder builder = join.getCluster().getRexBuilder();
    int leftColumns = join.getLeft().getRowType().getFieldCount();
    List<Key> keys = new ArrayList<>();
    List<RexNode> others = new ArrayList<>();
    for (RexNode conjunct : RelOptUtil.conjunctions(join.getCondition())) {
      Key key = key(conjunct, leftColumns);
      if (key == null) {
        others.add(conjunct);
      } else {
        keys.add(key);
      }
    }
    return new JoinCondition(keys, RexUtil.composeConjunction(builder, others));
  }

  private static Key key(RexNode conjunct, int leftColumns) {
    boolean nullSafe = conjunct.getKind() == SqlKind.IS_NOT_DISTINCT_FROM;
    if (!nullSafe && conjunct.getKind() != SqlKind.EQUALS) {
      return null;
    }
    RexNode first = ((RexCall) conjunct).getOperands().getFirst();
    RexNode second = ((RexCall) conjunct).getOperands().getLast();
    if (isLeft(first, leftColumns) && isRight(second, leftColumns)) {
      return new Key(first, RexUtil.shift(second, -leftColumns), nullSafe);
    }
    if (isLeft(second, leftColumns) && isRight(first, leftColumns)) {
      return new Key(second, RexUtil.shift(first, -leftColumns), nullSafe);
    }
    return null;
  }

  private static boolean isLeft(RexNode node, int leftColumns) {
    ImmutableBitSet columns = RelOptUtil.InputFinder.bits(node);
    return !columns.isEmpty() && columns.length() <= leftColumns;
  }

  private static boolean isRight(RexNode node, int leftColumns) {
    ImmutableBitSet columns = RelOptUtil.InputFinder.bits(node);
    return !columns.isEmpty() && columns.nextSetBit(0) >= leftColumns;
  }
}
