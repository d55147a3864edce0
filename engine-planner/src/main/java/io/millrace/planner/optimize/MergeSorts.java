package io.millrace.planner.optimize;

import java.util.Optional;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.logical.LogicalSort;

/**
 * A limit above a sort becomes the sort's (a top-N), two limits become one, and a sort whose order
 * is replaced at once goes away.
 *
 * <pre>
 * Limit 3             TopN k limit 3
 *   Sort k      →       input
 *     input
 * </pre>
 */
final class MergeSorts implements Rule {
  @Override
  public Optional<RelNode> apply(RelNode node, RuleContext context) {
    if (!(node instanceof Sort upper && upper.getInput() instanceof Sort lower)) {
      return Optional.empty();
    }
    boolean keepsAll = lower.fetch == null && lower.offset == null;
    if (!Rewriting.isLimit(upper)) {
      return keepsAll
          ? Optional.of(
              LogicalSort.create(lower.getInput(), upper.getCollation(), upper.offset, upper.fetch))
          : Optional.empty();
    }
    long lowerFetch = Rewriting.fetch(lower);
    long upperOffset = Rewriting.offset(upper);
    long left = lowerFetch == Long.MAX_VALUE ? Long.MAX_VALUE : lowerFetch - upperOffset;
    if (left <= 0) {
      return Optional.of(Rewriting.empty(node));
    }
    long fetch = Math.min(left, Rewriting.fetch(upper));
    long offset = Rewriting.offset(lower) + upperOffset;
    return Optional.of(
        LogicalSort.create(
            lower.getInput(),
            lower.getCollation(),
            offset == 0 ? null : Rewriting.count(context.builder(), offset),
            fetch == Long.MAX_VALUE ? null : Rewriting.count(context.builder(), fetch)));
  }
}
