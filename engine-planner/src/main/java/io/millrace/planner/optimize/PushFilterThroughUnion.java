package io.millrace.planner.optimize;

import java.util.List;
import java.util.Optional;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Union;

/**
 * A filter moves into every input of a union.
 *
 * <pre>
 * Filter c          Union
 *   Union      →      Filter c
 *     a                 a
 *     b               Filter c
 *                       b
 * </pre>
 */
final class PushFilterThroughUnion implements Rule {
  @Override
  public Optional<RelNode> apply(RelNode node, RuleContext context) {
    if (!(node instanceof Filter filter && filter.getInput() instanceof Union union)
        || !union.all) {
      return Optional.empty();
    }
    List<RelNode> inputs =
        union.getInputs().stream()
            .map(input -> Rewriting.filter(input, RelOptUtil.conjunctions(filter.getCondition())))
            .toList();
    return Optional.of(Rewriting.copy(union, inputs));
  }
}
