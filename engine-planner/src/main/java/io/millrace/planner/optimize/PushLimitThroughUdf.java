package io.millrace.planner.optimize;

import io.millrace.planner.logical.UdfCall;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Sort;

/**
 * A limit or top-N that does not sort by a user-defined function's result moves below it: the
 * function gives one row for each, so it need not be called for rows that are dropped.
 *
 * <pre>
 * Limit 3                  Udf f = fn(b)
 *   Udf f = fn(b)    →       Limit 3
 *     input                    input
 * </pre>
 */
final class PushLimitThroughUdf implements Rule {
  @Override
  public Optional<RelNode> apply(RelNode node, RuleContext context) {
    if (!(node instanceof Sort sort && sort.getInput() instanceof UdfCall call)
        || sort.fetch == null) {
      return Optional.empty();
    }
    int result = call.getRowType().getFieldCount() - 1;
    if (sort.getCollation().getKeys().contains(result)) {
      return Optional.empty();
    }
    RelNode limited = Rewriting.copy(sort, List.of(call.getInput()));
    return Optional.of(Rewriting.copy(call, List.of(limited)));
  }
}
