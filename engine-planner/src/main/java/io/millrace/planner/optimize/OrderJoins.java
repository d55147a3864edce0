package io.millrace.planner.optimize;

import io.millrace.planner.logical.FunctionBinding;
import io.millrace.planner.statistics.Estimates;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;

/**
 * Orders inner joins by what statistics expect of them; the tree may be bushy. Equalities are taken
 * together, so tables may be joined through any pair of equal columns, also one that was not
 * written. Tables without a condition between them are not joined before others are.
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
  private static final int LEAST_RELATIONS = 3;

  private final FunctionBinding binding;
  private final Estimates estimates;

  OrderJoins(FunctionBinding binding, Estimates estimates) {
    this.binding = binding;
    this.estimates = estimates;
  }

  RelNode rewrite(RelNode node) {
    RelNode copied = withInputs(node);
    if (copied instanceof Join join && join.getJoinType() == JoinRelType.INNER) {
      Optional<JoinGraph> graph = JoinGraph.of(join, binding, estimates);
      if (graph.isPresent() && graph.get().size() >= LEAST_RELATIONS) {
        return ordered(join, graph.get());
      }
    }
    return copied;
  }

  /** Inner joins below an inner join are part of its graph and not ordered on their own. */
  private RelNode withInputs(RelNode node) {
    List<RelNode> inputs = new ArrayList<>();
    boolean inner = isInner(node);
    for (RelNode input : node.getInputs()) {
      inputs.add(inner && isInner(input) ? withInputs(input) : rewrite(input));
    }
    return inputs.isEmpty() || inputs.equals(node.getInputs())
        ? node
        : Rewriting.copy(node, inputs);
  }

  private static boolean isInner(RelNode node) {
    return node instanceof Join join && join.getJoinType() == JoinRelType.INNER;
  }

  private RelNode ordered(Join join, JoinGraph graph) {
    Made made = make(new JoinEnumeration(graph).best(), graph, Rewriting.allColumns(join));
    List<Integer> places = new ArrayList<>(Collections.nCopies(graph.columnCount(), -1));
    for (int place = 0; place < made.columns().size(); place++) {
      places.set(made.columns().get(place), place);
    }
    return Rewriting.columns(made.node(), places, join.getRowType().getFieldNames());
  }

  /** A tree as nodes, with the graph's columns in the order in which they come out. */
  private record Made(RelNode node, List<Integer> columns) {}

  private Made make(JoinEnumeration.Tree tree, JoinGraph graph, List<RexNode> all) {
    if (tree.isRelation()) {
      int relation = Long.numberOfTrailingZeros(tree.set());
      return new Made(graph.relation(relation), graph.columns(relation).asList());
    }
    Made left = make(tree.left(), graph, all);
    Made right = make(tree.right(), graph, all);
    List<Integer> columns = new ArrayList<>(left.columns());
    columns.addAll(right.columns());
    int[] places = new int[graph.columnCount()];
    for (int place = 0; place < columns.size(); place++) {
      places[columns.get(place)] = place;
    }
    List<RexNode> conjuncts =
        graph.condition(tree.left().set(), tree.right().set(), binding, all).stream()
            .map(conjunct -> Rewriting.moved(conjunct, column -> places[column]))
            .toList();
    RexBuilder builder = left.node().getCluster().getRexBuilder();
    RexNode condition = Rewriting.condition(builder, conjuncts, left.node(), right.node());
    return new Made(
        LogicalJoin.create(
            left.node(), right.node(), List.of(), condition, Set.of(), JoinRelType.INNER),
        columns);
  }
}
