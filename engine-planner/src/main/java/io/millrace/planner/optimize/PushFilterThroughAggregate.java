package io.millrace.planner.optimize;

import io.millrace.planner.logical.FunctionBinding;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rex.RexNode;

/**
 * Conditions on group keys move below the aggregation.
 *
 * <pre>
 * Filter key = 1 AND sum &gt; 5          Filter sum &gt; 5
 *   Aggregate by key [sum]       →      Aggregate by key [sum]
 *     input                               Filter key = 1
 *                                           input
 * </pre>
 */
final class PushFilterThroughAggregate implements Rule {
  @Override
  public Optional<RelNode> apply(RelNode node, RuleContext context) {
    if (!(node instanceof Filter filter && filter.getInput() instanceof Aggregate aggregate)
        || aggregate.getGroupType() != Aggregate.Group.SIMPLE) {
      return Optional.empty();
    }
    int keyCount = aggregate.getGroupCount();
    SplitConjuncts split =
        SplitConjuncts.of(
            filter.getCondition(),
            conjunct ->
                !FunctionBinding.isVolatile(conjunct)
                    && !Rewriting.columnsOf(conjunct).isEmpty()
                    && Rewriting.columnsOf(conjunct).length() <= keyCount);
    if (split.nothingMoves()) {
      return Optional.empty();
    }
    List<RexNode> moved =
        split.moving().stream()
            .map(conjunct -> Rewriting.moved(conjunct, aggregate.getGroupSet()::nth))
            .toList();
    RelNode below = Rewriting.filter(aggregate.getInput(), moved);
    RelNode aggregated = Rewriting.copy(aggregate, List.of(below));
    return Optional.of(Rewriting.filter(aggregated, split.staying()));
  }
}
