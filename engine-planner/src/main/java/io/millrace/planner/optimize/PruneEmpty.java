package io.millrace.planner.optimize;

import io.millrace.planner.logical.UdfCall;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.core.Union;

/**
 * What gives no rows over no rows is replaced by no rows.
 *
 * <pre>
 * Join INNER             no rows
 *   l              →
 *   no rows
 * </pre>
 */
final class PruneEmpty implements Rule {
  @Override
  public Optional<RelNode> apply(RelNode node, RuleContext context) {
    boolean empty =
        switch (node) {
          case Filter filter -> Rewriting.isEmpty(filter.getInput());
          case Project project -> Rewriting.isEmpty(project.getInput());
          case Sort sort -> Rewriting.isEmpty(sort.getInput());
          case UdfCall call -> Rewriting.isEmpty(call.getInput());
          case Aggregate aggregate ->
              !aggregate.getGroupSet().isEmpty() && Rewriting.isEmpty(aggregate.getInput());
          case Join join -> isEmpty(join);
          default -> false;
        };
    if (empty) {
      return Optional.of(Rewriting.empty(node));
    }
    return node instanceof Union union && union.all ? withoutEmpty(union) : Optional.empty();
  }

  private static boolean isEmpty(Join join) {
    boolean left = Rewriting.isEmpty(join.getLeft());
    boolean right = Rewriting.isEmpty(join.getRight());
    JoinRelType type = join.getJoinType();
    return switch (type) {
      case INNER, SEMI -> left || right;
      case LEFT, ANTI, LEFT_MARK, ASOF, LEFT_ASOF -> left;
      case RIGHT -> right;
      case FULL -> left && right;
    };
  }

  private static Optional<RelNode> withoutEmpty(Union union) {
    List<RelNode> kept =
        union.getInputs().stream().filter(input -> !Rewriting.isEmpty(input)).toList();
    if (kept.size() == union.getInputs().size()) {
      return Optional.empty();
    }
    return Optional.of(
        kept.isEmpty()
            ? Rewriting.empty(union)
            : kept.size() == 1 ? kept.getFirst() : union.copy(union.getTraitSet(), kept, true));
  }
}
