package io.millrace.planner.optimize;

import io.millrace.planner.logical.SourceScan;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Sort;

/**
 * A scan directly below a limit is told how many rows are wanted of each split. The limit stays,
 * because the source may give more. A filter between the two keeps the rule from firing.
 *
 * <pre>
 * Limit 3 offset 2          Limit 3 offset 2
 *   Scan t            →       Scan t limit 5
 * </pre>
 */
final class PushLimitIntoScan implements Rule {
  @Override
  public Optional<RelNode> apply(RelNode node, RuleContext context) {
    if (!(node instanceof Sort sort && sort.getInput() instanceof SourceScan scan)
        || !Rewriting.isLimit(sort)
        || sort.fetch == null
        || scan.limit().isPresent()) {
      return Optional.empty();
    }
    RelNode limited = scan.withLimit(Rewriting.needed(sort));
    return Optional.of(Rewriting.copy(sort, List.of(limited)));
  }
}
