package io.millrace.planner.optimize;

import io.millrace.core.plan.PhysicalExpression;
import io.millrace.planner.logical.FunctionBinding;
import io.millrace.planner.logical.SourceScan;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rex.RexNode;

/**
 * What the source says it applies exactly becomes the scan's; the rest stays above. A scan with a
 * limit takes no filter: it would limit the rows before it.
 *
 * <pre>
 * Filter a = 1 AND f(b)          Filter f(b)
 *   Scan t                  →      Scan t filters [a = 1]
 * </pre>
 */
final class PushFilterIntoScan implements Rule {
  @Override
  public Optional<RelNode> apply(RelNode node, RuleContext context) {
    if (!(node instanceof Filter filter && filter.getInput() instanceof SourceScan scan)
        || scan.limit().isPresent()) {
      return Optional.empty();
    }
    SplitConjuncts split =
        SplitConjuncts.of(filter.getCondition(), conjunct -> !FunctionBinding.isVolatile(conjunct));
    List<RexNode> overTable =
        split.moving().stream()
            .map(
                conjunct ->
                    Rewriting.moved(conjunct, column -> scan.columns().get(column).tableColumn()))
            .toList();
    List<PhysicalExpression> offered = overTable.stream().map(context.expressions()::plan).toList();
    List<PhysicalExpression> accepted = scan.table().table().acceptedFilters(offered);
    List<RexNode> filters = new ArrayList<>(scan.filters());
    List<RexNode> staying = new ArrayList<>();
    for (int index = 0; index < offered.size(); index++) {
      if (accepted.contains(offered.get(index))) {
        filters.add(overTable.get(index));
      } else {
        staying.add(split.moving().get(index));
      }
    }
    if (filters.size() == scan.filters().size()) {
      return Optional.empty();
    }
    staying.addAll(split.staying());
    return Optional.of(Rewriting.filter(scan.withFilters(filters), staying));
  }
}
