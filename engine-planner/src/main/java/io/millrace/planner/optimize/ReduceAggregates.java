package io.millrace.planner.optimize;

import io.millrace.planner.logical.FunctionBinding;
import io.millrace.planner.logical.SourceScan;
import io.millrace.planner.statistics.Estimate;
import io.millrace.planner.statistics.Estimates;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * An aggregation that is joined by its group key with a few rows only aggregates the groups that
 * they ask for. The few rows must be cheap to find, since they are found twice: filtered rows of a
 * table.
 *
 * <pre>
 * Join INNER a.key = f.key          Join INNER a.key = f.key
 *   Aggregate by key          →       Aggregate by key
 *     l                                 Join SEMI l.key = f.key
 *   Filter f.x = 1                        l
 *     f                                   Filter f.x = 1
 *                                           f
 *                                     Filter f.x = 1
 *                                       f
 * </pre>
 */
final class ReduceAggregates {
  private static final double MOST_KEPT = 0.2;

  private final FunctionBinding binding;
  private final Estimates estimates;

  ReduceAggregates(FunctionBinding binding, Estimates estimates) {
    this.binding = binding;
    this.estimates = estimates;
  }

  /** Some rows of a table that have the keys that are asked for in a column. */
  private record Keys(RelNode node, int column) {}

  /** The relation with a reduced aggregation; empty when it has none or nothing reduces it. */
  Optional<RelNode> reduced(JoinGraph graph, int relation) {
    RelNode node = graph.relation(relation);
    ImmutableBitSet own = graph.columns(relation);
    for (ImmutableBitSet equal : graph.classes()) {
      for (int column : equal.intersect(own)) {
        Optional<RelNode> made =
            equal.except(own).asList().stream()
                .map(other -> keys(graph, other))
                .flatMap(Optional::stream)
                .findFirst()
                .flatMap(keys -> reduced(node, column - own.nth(0), keys));
        if (made.isPresent()) {
          return made;
        }
      }
    }
    return Optional.empty();
  }

  private Optional<Keys> keys(JoinGraph graph, int column) {
    int relation = graph.relationOf(column);
    return keys(graph.relation(relation), column - graph.columns(relation).nth(0));
  }

  private Optional<Keys> keys(RelNode node, int column) {
    if (node instanceof Join join && join.getJoinType() == JoinRelType.SEMI) {
      int leftColumns = join.getLeft().getRowType().getFieldCount();
      for (RexNode conjunct : RelOptUtil.conjunctions(join.getCondition())) {
        ImmutableBitSet equal = Rewriting.columnsOf(conjunct);
        if (JoinGraph.isColumnEquality(conjunct) && equal.get(column)) {
          return keys(join.getRight(), equal.clear(column).nth(0) - leftColumns);
        }
      }
      return Optional.empty();
    }
    if (node instanceof Project project
        && !isCheap(node)
        && project.getProjects().get(column) instanceof RexInputRef reference) {
      return keys(project.getInput(), reference.getIndex());
    }
    Estimate estimate = estimates.of(node);
    boolean few =
        estimate.isKnown() && estimate.rows() <= MOST_KEPT * Math.max(1, estimate.storedRows());
    return few && isCheap(node) ? Optional.of(new Keys(node, column)) : Optional.empty();
  }

  private static boolean isCheap(RelNode node) {
    return switch (node) {
      case SourceScan unused -> true;
      case Filter filter ->
          !FunctionBinding.isVolatile(filter.getCondition())
              && !Rewriting.isCostly(filter.getCondition())
              && isCheap(filter.getInput());
      case Project project ->
          project.getProjects().stream().allMatch(RexInputRef.class::isInstance)
              && isCheap(project.getInput());
      default -> false;
    };
  }

  private Optional<RelNode> reduced(RelNode node, int column, Keys keys) {
    return switch (node) {
      case Project project ->
          project.getProjects().get(column) instanceof RexInputRef reference
              ? over(project, reduced(project.getInput(), reference.getIndex(), keys))
              : Optional.empty();
      case Filter filter -> over(filter, reduced(filter.getInput(), column, keys));
      case Aggregate aggregate
          when aggregate.getGroupType() == Aggregate.Group.SIMPLE
              && column < aggregate.getGroupCount() ->
          aggregated(aggregate, aggregate.getGroupSet().nth(column), keys);
      default -> Optional.empty();
    };
  }

  private static Optional<RelNode> over(RelNode node, Optional<RelNode> input) {
    return input.map(reduced -> Rewriting.copy(node, List.of(reduced)));
  }

  private Optional<RelNode> aggregated(Aggregate aggregate, int column, Keys keys) {
    RelNode input = aggregate.getInput();
    int columns = input.getRowType().getFieldCount();
    RelNode right = Rewriting.columns(keys.node(), List.of(keys.column()), List.of("key"));
    RexNode left = Rewriting.allColumns(input).get(column);
    RexNode key = new RexInputRef(columns, Rewriting.types(right).getFirst());
    RelNode semi =
        LogicalJoin.create(
            input,
            right,
            List.of(),
            binding.call("eq", List.of(left, key)),
            Set.of(),
            JoinRelType.SEMI);
    boolean pays =
        estimates.of(semi).rows() <= MOST_KEPT * estimates.of(input).rows()
            && estimates.of(keys.node()).rows() < estimates.of(input).rows();
    return pays ? Optional.of(Rewriting.copy(aggregate, List.of(semi))) : Optional.empty();
  }
}
