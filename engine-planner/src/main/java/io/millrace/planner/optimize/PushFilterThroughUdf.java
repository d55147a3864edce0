package io.millrace.planner.optimize;

import io.millrace.planner.logical.FunctionBinding;
import io.millrace.planner.logical.UdfCall;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Filter;

/**
 * Conditions that do not read a user-defined function's result are tested before it is called.
 *
 * <pre>
 * Filter a = 1 AND f &gt; 0          Filter f &gt; 0
 *   Udf f = fn(b)           →       Udf f = fn(b)
 *     input                           Filter a = 1
 *                                       input
 * </pre>
 */
final class PushFilterThroughUdf implements Rule {
  @Override
  public Optional<RelNode> apply(RelNode node, RuleContext context) {
    if (!(node instanceof Filter filter && filter.getInput() instanceof UdfCall call)) {
      return Optional.empty();
    }
    int result = call.getRowType().getFieldCount() - 1;
    SplitConjuncts split =
        SplitConjuncts.of(
            filter.getCondition(),
            conjunct ->
                !FunctionBinding.isVolatile(conjunct)
                    && !Rewriting.columnsOf(conjunct).get(result));
    if (split.nothingMoves()) {
      return Optional.empty();
    }
    RelNode below = Rewriting.filter(call.getInput(), split.moving());
    RelNode called = Rewriting.copy(call, List.of(below));
    return Optional.of(Rewriting.filter(called, split.staying()));
  }
}
