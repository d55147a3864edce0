package io.millrace.planner.optimize;

import java.util.List;
import java.util.Optional;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Sort;

/**
 * A filter moves below a sort that keeps all rows; never below a limit, which would then keep
 * others.
 *
 * <pre>
 * Filter c          Sort k
 *   Sort k     →      Filter c
 *     input             input
 * </pre>
 */
final class PushFilterThroughSort implements Rule {
  @Override
  public Optional<RelNode> apply(RelNode node, RuleContext context) {
    if (!(node instanceof Filter filter && filter.getInput() instanceof Sort sort)
        || sort.fetch != null
        || sort.offset != null) {
      return Optional.empty();
    }
    RelNode below =
        Rewriting.filter(sort.getInput(), RelOptUtil.conjunctions(filter.getCondition()));
    return Optional.of(Rewriting.copy(sort, List.of(below)));
  }
}
