package io.millrace.planner.optimize;

import io.millrace.planner.statistics.Estimates;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rex.RexNode;

/**
 * Puts the side that is estimated smaller on the right, where joins build their hash table. What is
 * not known stays as it was written.
 *
 * <pre>
 * Join INNER          Project [columns in the old order]
 *   small       →       Join INNER
 *   large                 large
 *                         small
 * </pre>
 */
final class ChooseBuildSide {
  private final Estimates estimates;
  private final long broadcastLimitBytes;

  ChooseBuildSide(Estimates estimates, long broadcastLimitBytes) {
    this.estimates = estimates;
    this.broadcastLimitBytes = broadcastLimitBytes;
  }

  RelNode rewrite(RelNode node) {
    List<RelNode> inputs = node.getInputs().stream().map(this::rewrite).toList();
    RelNode copied = inputs.isEmpty() ? node : Rewriting.copy(node, inputs);
    return copied instanceof Join join && isBetterSwapped(join) ? swapped(join) : copied;
  }

  private boolean isBetterSwapped(Join join) {
    OptionalDouble left = estimates.bytes(join.getLeft());
    OptionalDouble right = estimates.bytes(join.getRight());
    if (left.isEmpty() || right.isEmpty()) {
      return false;
    }
    boolean smaller = left.getAsDouble() < right.getAsDouble();
    return switch (join.getJoinType()) {
      case INNER, FULL -> smaller;
      // as a right join the table cannot be sent to all, so only when that was not to be anyway
      case LEFT -> smaller && right.getAsDouble() > broadcastLimitBytes;
      case RIGHT -> smaller || left.getAsDouble() <= broadcastLimitBytes;
      case SEMI, ANTI, LEFT_MARK, ASOF, LEFT_ASOF -> false;
    };
  }

  private static RelNode swapped(Join join) {
    int leftColumns = join.getLeft().getRowType().getFieldCount();
    int rightColumns = join.getRight().getRowType().getFieldCount();
    RexNode condition =
        Rewriting.moved(
            join.getCondition(),
            column -> column < leftColumns ? column + rightColumns : column - leftColumns);
    JoinRelType type = join.getJoinType().swap();
    RelNode joined =
        LogicalJoin.create(join.getRight(), join.getLeft(), List.of(), condition, Set.of(), type);
    List<Integer> order = new ArrayList<>();
    for (int column = 0; column < leftColumns + rightColumns; column++) {
      order.add(column < leftColumns ? column + rightColumns : column - leftColumns);
    }
    return Rewriting.columns(joined, order, join.getRowType().getFieldNames());
  }
}
