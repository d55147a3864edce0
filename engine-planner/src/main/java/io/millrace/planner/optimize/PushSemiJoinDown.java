package io.millrace.planner.optimize;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * A semi join that is expected to drop half of the rows or more works like a filter: it moves to
 * the input whose columns it reads, before that is joined with others. One that keeps most rows
 * waits until other joins have dropped some.
 *
 * <pre>
 * Join SEMI l.id = s.id            Join INNER l.id = r.id
 *   Join INNER l.id = r.id    →      Join SEMI l.id = s.id
 *     l                                l
 *     r                                s
 *   s                                r
 * </pre>
 */
final class PushSemiJoinDown implements Rule {
  private static final double MOST_KEPT = 0.5;

  @Override
  public Optional<RelNode> apply(RelNode node, RuleContext context) {
    if (!(node instanceof Join semi) || semi.getJoinType() != JoinRelType.SEMI) {
      return Optional.empty();
    }
    return switch (semi.getLeft()) {
      case Join lower -> belowJoin(semi, lower, context);
      case Project project -> belowProject(semi, project);
      case Filter filter -> belowFilter(semi, filter, context);
      default -> Optional.empty();
    };
  }

  private static Optional<RelNode> belowJoin(Join semi, Join lower, RuleContext context) {
    int leftColumns = lower.getLeft().getRowType().getFieldCount();
    int lowerColumns = lower.getRowType().getFieldCount();
    ImmutableBitSet read =
        Rewriting.columnsOf(semi.getCondition()).intersect(ImmutableBitSet.range(lowerColumns));
    boolean left = read.length() <= leftColumns;
    boolean right = !left && read.nextSetBit(0) >= leftColumns;
    boolean legal =
        switch (lower.getJoinType()) {
          case INNER -> left || right;
          case LEFT, ANTI -> left;
          case RIGHT -> right;
          case SEMI, FULL, LEFT_MARK, ASOF, LEFT_ASOF -> false;
        };
    if (read.isEmpty() || !legal) {
      return Optional.empty();
    }
    RelNode side = left ? lower.getLeft() : lower.getRight();
    RelNode reduced =
        left
            ? joined(semi, side, column -> column - lowerColumns + leftColumns, lowerColumns)
            : joined(semi, side, column -> column - leftColumns, 0);
    boolean pays =
        context.estimates().of(reduced).rows() <= MOST_KEPT * context.estimates().of(side).rows();
    return pays
        ? Optional.of(
            Rewriting.copy(
                lower,
                left ? List.of(reduced, lower.getRight()) : List.of(lower.getLeft(), reduced)))
        : Optional.empty();
  }

  /**
   * @param place new place of the columns from {@code first} on
   */
  private static RelNode joined(
      Join semi, RelNode side, java.util.function.IntUnaryOperator place, int first) {
    RexNode condition =
        Rewriting.moved(
            semi.getCondition(), column -> column < first ? column : place.applyAsInt(column));
    return LogicalJoin.create(
        side, semi.getRight(), List.of(), condition, Set.of(), JoinRelType.SEMI);
  }

  /** Only where a join below may take it, so that projections do not move for nothing. */
  private static Optional<RelNode> belowProject(Join semi, Project project) {
    List<RexNode> outputs = project.getProjects();
    int columns = outputs.size();
    ImmutableBitSet read =
        Rewriting.columnsOf(semi.getCondition()).intersect(ImmutableBitSet.range(columns));
    boolean plain =
        read.asList().stream().allMatch(column -> outputs.get(column) instanceof RexInputRef);
    if (!plain || !(project.getInput() instanceof Join)) {
      return Optional.empty();
    }
    int inputColumns = project.getInput().getRowType().getFieldCount();
    RexNode condition =
        Rewriting.moved(
            semi.getCondition(),
            column ->
                column < columns
                    ? ((RexInputRef) outputs.get(column)).getIndex()
                    : column - columns + inputColumns);
    RelNode below =
        LogicalJoin.create(
            project.getInput(), semi.getRight(), List.of(), condition, Set.of(), JoinRelType.SEMI);
    return Optional.of(Rewriting.copy(project, List.of(below)));
  }

  private static Optional<RelNode> belowFilter(Join semi, Filter filter, RuleContext context) {
    return filter.getInput() instanceof Join lower
        ? belowJoin((Join) Rewriting.copy(semi, List.of(lower, semi.getRight())), lower, context)
            .map(moved -> Rewriting.filter(moved, List.of(filter.getCondition())))
        : Optional.empty();
  }
}
