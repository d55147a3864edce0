package io.millrace.planner.optimize;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rex.RexNode;

/**
 * Two filters become one; the lower one's conditions come first, so they guard the others as
 * before.
 *
 * <pre>
 * Filter b            Filter a AND b
 *   Filter a    →       input
 *     input
 * </pre>
 */
final class MergeFilters implements Rule {
  @Override
  public Optional<RelNode> apply(RelNode node, RuleContext context) {
    if (!(node instanceof Filter upper && upper.getInput() instanceof Filter lower)) {
      return Optional.empty();
    }
    List<RexNode> conjuncts = new ArrayList<>(RelOptUtil.conjunctions(lower.getCondition()));
    for (RexNode conjunct : RelOptUtil.conjunctions(upper.getCondition())) {
      if (!conjuncts.contains(conjunct)) {
        conjuncts.add(conjunct);
      }
    }
    return Optional.of(Rewriting.filter(lower.getInput(), conjuncts));
  }
}
