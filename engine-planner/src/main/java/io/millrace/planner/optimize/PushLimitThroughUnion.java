package io.millrace.planner.optimize;

import java.util.List;
import java.util.Optional;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.core.Union;
import org.apache.calcite.rel.logical.LogicalSort;

/**
 * Each input of a union needs to give no more rows than the limit above it takes; the limit itself
 * stays.
 *
 * <pre>
 * Limit 3 offset 2         Limit 3 offset 2
 *   Union            →       Union
 *     a                        Limit 5
 *     b                          a
 *                              Limit 5
 *                                b
 * </pre>
 */
final class PushLimitThroughUnion implements Rule {
  @Override
  public Optional<RelNode> apply(RelNode node, RuleContext context) {
    if (!(node instanceof Sort sort && sort.getInput() instanceof Union union)
        || sort.fetch == null
        || !union.all
        || union.getInputs().stream().allMatch(input -> isLimited(input, sort))) {
      return Optional.empty();
    }
    List<RelNode> inputs =
        union.getInputs().stream()
            .map(
                input ->
                    isLimited(input, sort)
                        ? input
                        : LogicalSort.create(
                            input,
                            sort.getCollation(),
                            null,
                            Rewriting.count(context.builder(), Rewriting.needed(sort))))
            .toList();
    RelNode limitedUnion = Rewriting.copy(union, inputs);
    return Optional.of(Rewriting.copy(sort, List.of(limitedUnion)));
  }

  /** Also behind projections, through which the limit has moved. */
  private static boolean isLimited(RelNode input, Sort sort) {
    RelNode node = input;
    while (node instanceof org.apache.calcite.rel.core.Project
        || node instanceof io.millrace.planner.logical.UdfCall) {
      node = node.getInput(0);
    }
    return node instanceof Sort lower && Rewriting.fetch(lower) <= Rewriting.needed(sort)
        || Rewriting.isEmpty(node)
        || node instanceof Union;
  }
}
