package io.millrace.planner.optimize;

import io.millrace.planner.logical.FunctionBinding;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rex.RexNode;

/**
 * Two projections become one, unless something would then be computed more often than before or a
 * volatile result would be drawn anew.
 *
 * <pre>
 * Project [$0 + 1]             Project [a * 2 + 1]
 *   Project [a * 2, b]    →      input
 *     input
 * </pre>
 */
final class MergeProjects implements Rule {
  @Override
  public Optional<RelNode> apply(RelNode node, RuleContext context) {
    if (!(node instanceof Project upper && upper.getInput() instanceof Project lower)) {
      return Optional.empty();
    }
    List<RexNode> inner = lower.getProjects();
    int[] uses = Rewriting.uses(upper.getProjects(), inner.size());
    for (int column = 0; column < uses.length; column++) {
      RexNode expression = inner.get(column);
      boolean repeated = uses[column] > 1 && !Rewriting.isTrivial(expression);
      if (repeated || uses[column] > 0 && FunctionBinding.isVolatile(expression)) {
        return Optional.empty();
      }
    }
    List<RexNode> merged =
        upper.getProjects().stream()
            .map(expression -> Rewriting.substituted(expression, inner))
            .toList();
    return Optional.of(
        Rewriting.project(lower.getInput(), merged, upper.getRowType().getFieldNames()));
  }
}
