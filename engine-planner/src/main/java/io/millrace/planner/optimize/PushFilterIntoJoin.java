package io.millrace.planner.optimize;

import io.millrace.planner.logical.FunctionBinding;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * A filter above a join moves to the side whose columns it reads, or into the condition of an inner
 * join. A side that a join fills up with nulls takes no filter; but a filter that null never passes
 * makes the join inner towards that side first.
 *
 * <pre>
 * Filter l.a = 1 AND r.b = 2 AND l.c &lt; r.d         Join INNER l.id = r.id AND l.c &lt; r.d
 *   Join INNER l.id = r.id                     →     Filter l.a = 1
 *     l                                                l
 *     r                                              Filter r.b = 2
 *                                                      r
 * </pre>
 */
final class PushFilterIntoJoin implements Rule {
  @Override
  public Optional<RelNode> apply(RelNode node, RuleContext context) {
    if (!(node instanceof Filter filter && filter.getInput() instanceof Join join)) {
      return Optional.empty();
    }
    List<RexNode> conjuncts = RelOptUtil.conjunctions(filter.getCondition());
    JoinRelType type = narrowed(join, conjuncts);
    JoinSides sides = new JoinSides(join);
    List<RexNode> left = new ArrayList<>();
    List<RexNode> right = new ArrayList<>();
    List<RexNode> condition = new ArrayList<>();
    List<RexNode> staying = new ArrayList<>();
    for (RexNode conjunct : conjuncts) {
      if (FunctionBinding.isVolatile(conjunct)) {
        staying.add(conjunct);
      } else if (sides.isLeft(conjunct) && !type.generatesNullsOnLeft()) {
        left.add(conjunct);
      } else if (sides.isRight(conjunct) && !type.generatesNullsOnRight()) {
        right.add(sides.asRight(conjunct));
      } else if (type == JoinRelType.INNER) {
        condition.add(conjunct);
      } else {
        staying.add(conjunct);
      }
    }
    if (staying.size() == conjuncts.size() && type == join.getJoinType()) {
      return Optional.empty();
    }
    condition.add(0, join.getCondition());
    RelNode joined =
        LogicalJoin.create(
            Rewriting.filter(join.getLeft(), left),
            Rewriting.filter(join.getRight(), right),
            List.of(),
            RexUtil.composeConjunction(context.builder(), condition),
            Set.of(),
            type);
    return Optional.of(Rewriting.filter(joined, staying));
  }

  private static JoinRelType narrowed(Join join, List<RexNode> conjuncts) {
    JoinRelType type = join.getJoinType();
    int leftColumns = join.getLeft().getRowType().getFieldCount();
    ImmutableBitSet left = ImmutableBitSet.range(leftColumns);
    for (RexNode conjunct : conjuncts) {
      ImmutableBitSet refused = refusedNulls(conjunct);
      if (type.generatesNullsOnLeft() && refused.intersects(left)) {
        type = type.cancelNullsOnLeft();
      }
      if (type.generatesNullsOnRight() && !refused.except(left).isEmpty()) {
        type = type.cancelNullsOnRight();
      }
    }
    return type;
  }

  /** Columns for which null makes the conjunct not true; only plain comparisons are looked into. */
  private static ImmutableBitSet refusedNulls(RexNode conjunct) {
    boolean plain =
        switch (conjunct.getKind()) {
          case EQUALS,
              NOT_EQUALS,
              LESS_THAN,
              LESS_THAN_OR_EQUAL,
              GREATER_THAN,
              GREATER_THAN_OR_EQUAL,
              IS_NOT_NULL ->
              true;
          default -> false;
        };
    if (!plain) {
      return ImmutableBitSet.of();
    }
    ImmutableBitSet.Builder columns = ImmutableBitSet.builder();
    for (RexNode operand : ((RexCall) conjunct).getOperands()) {
      RexNode plainOperand =
          operand.getKind() == SqlKind.CAST
              ? ((RexCall) operand).getOperands().getFirst()
              : operand;
      if (plainOperand instanceof RexInputRef reference) {
        columns.set(reference.getIndex());
      }
    }
    return columns.build();
  }
}
