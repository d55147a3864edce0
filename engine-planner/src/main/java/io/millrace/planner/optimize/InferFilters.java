package io.millrace.planner.optimize;

import io.millrace.planner.logical.FunctionBinding;
import io.millrace.planner.statistics.Estimates;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * Finds filters of single tables that joins imply: what is asked of a column holds for those that
 * equal it, and where each alternative of an OR asks something of a table, one of these must hold.
 * The conditions themselves stay. One pass; used once per query.
 *
 * <pre>
 * Join INNER l.id = r.id AND (l.a = 1 AND r.b = 2 OR l.a = 3 AND r.b = 4)
 *   Filter l.id &gt; 5
 *     l
 *   r
 *
 * Join INNER l.id = r.id AND (l.a = 1 AND r.b = 2 OR l.a = 3 AND r.b = 4)
 *   Filter l.id &gt; 5 AND (l.a = 1 OR l.a = 3)
 *     l
 *   Filter r.id &gt; 5 AND (r.b = 2 OR r.b = 4)
 *     r
 * </pre>
 */
final class InferFilters {
  private final FunctionBinding binding;
  private final Estimates estimates;
  private final ReduceAggregates aggregates;
  private boolean fired;

  InferFilters(FunctionBinding binding, Estimates estimates) {
    this.binding = binding;
    this.estimates = estimates;
    this.aggregates = new ReduceAggregates(binding, estimates);
  }

  /** Whether the plan was changed. */
  boolean hasFired() {
    return fired;
  }

  RelNode rewrite(RelNode node) {
    if (node instanceof Join join) {
      return switch (join.getJoinType()) {
        case INNER -> inner(join);
        case LEFT, SEMI, ANTI -> toRight(join);
        case RIGHT, FULL, LEFT_MARK, ASOF, LEFT_ASOF -> withInputs(join);
      };
    }
    return withInputs(node);
  }

  private RelNode withInputs(RelNode node) {
    List<RelNode> inputs = node.getInputs().stream().map(this::rewrite).toList();
    return inputs.equals(node.getInputs()) ? node : Rewriting.copy(node, inputs);
  }

  private RelNode inner(Join join) {
    Optional<JoinGraph> made = JoinGraph.of(join, binding, estimates);
    if (made.isEmpty()) {
      return withInputs(join);
    }
    JoinGraph graph = made.get();
    List<RelNode> relations = new ArrayList<>();
    for (int relation = 0; relation < graph.size(); relation++) {
      RelNode node = graph.relation(relation);
      List<RexNode> inferred = throughEqualities(graph, relation);
      inferred.addAll(fromAlternatives(graph, relation));
      List<RexNode> known = ColumnPredicates.of(node);
      inferred.removeAll(known);
      fired |= !inferred.isEmpty();
      Optional<RelNode> reduced = aggregates.reduced(graph, relation);
      fired |= reduced.isPresent();
      relations.add(Rewriting.filter(rewrite(reduced.orElse(node)), inferred));
    }
    return over(join, relations.iterator());
  }

  /** The same joins over other relations. */
  private static RelNode over(RelNode node, Iterator<RelNode> relations) {
    if (node instanceof Join join && join.getJoinType() == JoinRelType.INNER) {
      RelNode left = over(join.getLeft(), relations);
      RelNode right = over(join.getRight(), relations);
      boolean same = left.equals(join.getLeft()) && right.equals(join.getRight());
      return same ? join : Rewriting.copy(join, List.of(left, right));
    }
    return relations.next();
  }

  private static List<RexNode> throughEqualities(JoinGraph graph, int relation) {
    List<RexNode> inferred = new ArrayList<>();
    ImmutableBitSet own = graph.columns(relation);
    for (ImmutableBitSet equal : graph.classes()) {
      ImmutableBitSet targets = equal.intersect(own);
      if (!targets.isEmpty()) {
        int target = targets.nth(0) - own.nth(0);
        for (int source : equal.except(own)) {
          int other = graph.relationOf(source);
          int first = graph.columns(other).nth(0);
          predicatesOf(graph.relation(other), source - first).stream()
              .map(predicate -> Rewriting.moved(predicate, unused -> target))
              .filter(predicate -> !inferred.contains(predicate))
              .forEach(inferred::add);
        }
      }
    }
    return inferred;
  }

  private static List<RexNode> predicatesOf(RelNode node, int column) {
    return ColumnPredicates.of(node).stream()
        .filter(predicate -> Rewriting.columnsOf(predicate).get(column))
        .toList();
  }

  private static List<RexNode> fromAlternatives(JoinGraph graph, int relation) {
    ImmutableBitSet own = graph.columns(relation);
    RexBuilder builder = graph.relation(relation).getCluster().getRexBuilder();
    List<RexNode> inferred = new ArrayList<>();
    for (JoinGraph.Condition condition : graph.conditions()) {
      if (condition.expression().getKind() == SqlKind.OR
          && !FunctionBinding.isVolatile(condition.expression())) {
        List<RexNode> alternatives = new ArrayList<>();
        for (RexNode disjunct : RelOptUtil.disjunctions(condition.expression())) {
          List<RexNode> asked =
              RelOptUtil.conjunctions(disjunct).stream()
                  .filter(
                      conjunct -> {
                        ImmutableBitSet read = Rewriting.columnsOf(conjunct);
                        return !read.isEmpty() && own.contains(read);
                      })
                  .toList();
          alternatives.add(RexUtil.composeConjunction(builder, asked));
        }
        if (alternatives.stream().noneMatch(RexNode::isAlwaysTrue)) {
          RexNode any = RexUtil.composeDisjunction(builder, alternatives);
          inferred.add(Rewriting.moved(any, column -> column - own.nth(0)));
        }
      }
    }
    return inferred;
  }

  /** The right rows of these joins matter only where a left row equals them. */
  private RelNode toRight(Join join) {
    int leftColumns = join.getLeft().getRowType().getFieldCount();
    List<RexNode> inferred = new ArrayList<>();
    for (RexNode conjunct : RelOptUtil.conjunctions(join.getCondition())) {
      if (JoinGraph.isColumnEquality(conjunct)) {
        ImmutableBitSet equal = Rewriting.columnsOf(conjunct);
        int left = equal.nth(0);
        int right = equal.nth(1) - leftColumns;
        if (left < leftColumns && right >= 0) {
          predicatesOf(join.getLeft(), left).stream()
              .map(predicate -> Rewriting.moved(predicate, unused -> right))
              .forEach(inferred::add);
        }
      }
    }
    inferred.removeAll(ColumnPredicates.of(join.getRight()));
    fired |= !inferred.isEmpty();
    RelNode copied = withInputs(join);
    return inferred.isEmpty()
        ? copied
        : Rewriting.copy(
            copied, List.of(copied.getInput(0), Rewriting.filter(copied.getInput(1), inferred)));
  }
}
