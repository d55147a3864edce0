package io.millrace.planner.optimize;

import io.millrace.planner.logical.RowEstimates;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * Orders chains of three and more inner joins: the largest table first, then always a connected
 * table, the one whose filters keep the least of it. Without row counts the written order stays,
 * except that tables without a condition between them are not joined before others are.
 *
 * <pre>
 * Join                          Project [columns in the old order]
 *   Join (no condition)           Join
 *     part                  →       Join
 *     supplier                        lineitem
 *   lineitem                          part
 *                                   supplier
 * </pre>
 */
final class OrderJoins {
  private static final int LEAST_TABLES = 3;

  /** One input of a chain; its columns are those from {@code firstColumn} in the whole chain. */
  private record Table(RelNode node, int firstColumn) {
    ImmutableBitSet columns() {
      return ImmutableBitSet.range(firstColumn, firstColumn + node.getRowType().getFieldCount());
    }

    OptionalDouble rows() {
      return RowEstimates.rows(node);
    }
  }

  RelNode rewrite(RelNode node) {
    if (node instanceof Join join && join.getJoinType() == JoinRelType.INNER) {
      List<RelNode> inputs = new ArrayList<>();
      List<RexNode> conjuncts = new ArrayList<>();
      flatten(join, 0, inputs, conjuncts);
      if (inputs.size() >= LEAST_TABLES) {
        return ordered(join, inputs, conjuncts);
      }
    }
    List<RelNode> inputs = node.getInputs().stream().map(this::rewrite).toList();
    return inputs.isEmpty() ? node : Rewriting.copy(node, inputs);
  }

  /** The inputs below a tree of inner joins, and all conditions over the columns of the whole. */
  private void flatten(
      RelNode node, int firstColumn, List<RelNode> inputs, List<RexNode> conjuncts) {
    if (node instanceof Join join && join.getJoinType() == JoinRelType.INNER) {
      flatten(join.getLeft(), firstColumn, inputs, conjuncts);
      int right = firstColumn + join.getLeft().getRowType().getFieldCount();
      flatten(join.getRight(), right, inputs, conjuncts);
      for (RexNode conjunct : RelOptUtil.conjunctions(join.getCondition())) {
        conjuncts.add(Rewriting.moved(conjunct, column -> column + firstColumn));
      }
    } else {
      inputs.add(rewrite(node));
    }
  }

  private static RelNode ordered(Join join, List<RelNode> inputs, List<RexNode> conjuncts) {
    List<Table> tables = new ArrayList<>();
    int columns = 0;
    for (RelNode input : inputs) {
      tables.add(new Table(input, columns));
      columns += input.getRowType().getFieldCount();
    }
    List<Table> order = order(tables, conjuncts);
    RelNode joined = joined(order, conjuncts, columns);
    int[] places = places(order, columns);
    return Rewriting.columns(
        joined,
        IntStream.range(0, columns).mapToObj(column -> places[column]).toList(),
        join.getRowType().getFieldNames());
  }

  private static List<Table> order(List<Table> tables, List<RexNode> conjuncts) {
    boolean known = tables.stream().allMatch(table -> table.rows().isPresent());
    List<Table> left = new ArrayList<>(tables);
    Table first =
        known
            ? left.stream()
                .max(Comparator.comparingDouble(table -> table.rows().getAsDouble()))
                .orElseThrow()
            : left.getFirst();
    List<Table> order = new ArrayList<>(List.of(first));
    left.remove(first);
    ImmutableBitSet joined = first.columns();
    while (!left.isEmpty()) {
      ImmutableBitSet soFar = joined;
      List<Table> connected =
          left.stream().filter(table -> isConnected(table, soFar, conjuncts)).toList();
      Table next = best(connected.isEmpty() ? left : connected, known);
      order.add(next);
      left.remove(next);
      joined = joined.union(next.columns());
    }
    return order;
  }

  private static Table best(List<Table> candidates, boolean known) {
    Optional<Table> best =
        known
            ? candidates.stream()
                .min(
                    Comparator.comparingDouble(
                            (Table table) -> RowEstimates.keptShare(table.node()))
                        .thenComparingDouble(table -> table.rows().getAsDouble()))
            : candidates.stream().findFirst();
    return best.orElseThrow();
  }

  /** Whether an equality leads from the joined columns to the table. */
  private static boolean isConnected(Table table, ImmutableBitSet joined, List<RexNode> conjuncts) {
    return conjuncts.stream()
        .filter(conjunct -> conjunct.getKind() == SqlKind.EQUALS)
        .map(Rewriting::columnsOf)
        .anyMatch(
            columns ->
                columns.intersects(joined)
                    && columns.intersects(table.columns())
                    && joined.union(table.columns()).contains(columns));
  }

  private static int[] places(List<Table> order, int columns) {
    int[] places = new int[columns];
    int next = 0;
    for (Table table : order) {
      for (int column : table.columns()) {
        places[column] = next++;
      }
    }
    return places;
  }

  /** Left-deep joins, each with the conditions whose columns are then all there. */
  private static RelNode joined(List<Table> order, List<RexNode> conjuncts, int columns) {
    int[] places = places(order, columns);
    List<RexNode> left = new ArrayList<>(conjuncts);
    RelNode joined = order.getFirst().node();
    ImmutableBitSet there = order.getFirst().columns();
    for (Table table : order.subList(1, order.size())) {
      there = there.union(table.columns());
      List<RexNode> conditions = new ArrayList<>();
      for (RexNode conjunct : List.copyOf(left)) {
        if (there.contains(Rewriting.columnsOf(conjunct))) {
          conditions.add(Rewriting.moved(conjunct, column -> places[column]));
          left.remove(conjunct);
        }
      }
      joined =
          LogicalJoin.create(
              joined,
              table.node(),
              List.of(),
              RexUtil.composeConjunction(joined.getCluster().getRexBuilder(), conditions),
              Set.of(),
              JoinRelType.INNER);
    }
    return joined;
  }
}
