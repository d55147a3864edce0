package io.millrace.planner.optimize;

import io.millrace.planner.logical.FunctionBinding;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rex.RexNode;

/**
 * A filter moves below a projection, its columns replaced by what computes them. Conditions on
 * volatile results stay, and on costly ones too, which would be computed twice.
 *
 * <pre>
 * Filter $1 &gt; 5               Project [a, b + 1]
 *   Project [a, b + 1]   →      Filter b + 1 &gt; 5
 *     input                       input
 * </pre>
 */
final class PushFilterThroughProject implements Rule {
  @Override
  public Optional<RelNode> apply(RelNode node, RuleContext context) {
    if (!(node instanceof Filter filter && filter.getInput() instanceof Project project)) {
      return Optional.empty();
    }
    List<RexNode> expressions = project.getProjects();
    SplitConjuncts split =
        SplitConjuncts.of(filter.getCondition(), conjunct -> mayMove(conjunct, expressions));
    if (split.nothingMoves()) {
      return Optional.empty();
    }
    List<RexNode> moved =
        split.moving().stream()
            .map(conjunct -> Rewriting.substituted(conjunct, expressions))
            .toList();
    RelNode below = Rewriting.filter(project.getInput(), moved);
    RelNode projected = Rewriting.copy(project, List.of(below));
    return Optional.of(Rewriting.filter(projected, split.staying()));
  }

  private static boolean mayMove(RexNode conjunct, List<RexNode> expressions) {
    return !FunctionBinding.isVolatile(conjunct)
        && Rewriting.columnsOf(conjunct).asList().stream()
            .map(expressions::get)
            .noneMatch(
                expression ->
                    FunctionBinding.isVolatile(expression) || Rewriting.isCostly(expression));
  }
}
