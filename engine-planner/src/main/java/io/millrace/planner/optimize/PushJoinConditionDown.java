package io.millrace.planner.optimize;

import io.millrace.planner.logical.FunctionBinding;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;

/**
 * What a join's condition asks of one side alone becomes a filter of that side, where the join
 * keeps no row of it that fails the condition.
 *
 * <pre>
 * Join LEFT l.id = r.id AND r.b = 2         Join LEFT l.id = r.id
 *   l                                  →      l
 *   r                                         Filter r.b = 2
 *                                               r
 * </pre>
 */
final class PushJoinConditionDown implements Rule {
  @Override
  public Optional<RelNode> apply(RelNode node, RuleContext context) {
    if (!(node instanceof Join join)) {
      return Optional.empty();
    }
    JoinSides sides = new JoinSides(join);
    List<RexNode> left = new ArrayList<>();
    List<RexNode> right = new ArrayList<>();
    List<RexNode> staying = new ArrayList<>();
    for (RexNode conjunct : RelOptUtil.conjunctions(join.getCondition())) {
      if (FunctionBinding.isVolatile(conjunct)) {
        staying.add(conjunct);
      } else if (sides.isLeft(conjunct) && dropsLeft(join.getJoinType())) {
        left.add(conjunct);
      } else if (sides.isRight(conjunct) && dropsRight(join.getJoinType())) {
        right.add(sides.asRight(conjunct));
      } else {
        staying.add(conjunct);
      }
    }
    if (left.isEmpty() && right.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        LogicalJoin.create(
            Rewriting.filter(join.getLeft(), left),
            Rewriting.filter(join.getRight(), right),
            List.of(),
            RexUtil.composeConjunction(context.builder(), staying),
            Set.of(),
            join.getJoinType()));
  }

  private static boolean dropsLeft(JoinRelType type) {
    return type == JoinRelType.INNER || type == JoinRelType.RIGHT || type == JoinRelType.SEMI;
  }

  private static boolean dropsRight(JoinRelType type) {
    return type == JoinRelType.INNER
        || type == JoinRelType.LEFT
        || type == JoinRelType.SEMI
        || type == JoinRelType.ANTI;
  }
}
