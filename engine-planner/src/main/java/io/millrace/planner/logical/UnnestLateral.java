package io.millrace.planner.logical;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Correlate;
import org.apache.calcite.rel.core.CorrelationId;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.Values;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCorrelVariable;
import org.apache.calcite.rex.RexFieldAccess;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;

/**
 * Where an {@link Unnest} is correlated with the rows on its left, its lists become columns of
 * those rows and the correlation is gone.
 *
 * <pre>
 * Correlate cor0                    Unnest lists [$2] kept [$0 $1]
 *   Scan t [id, l]            →       Project [id, l, l]
 *   Unnest lists [$0]                   Scan t [id, l]
 *     Project [cor0.l]
 *       Values 1 row
 * </pre>
 */
public final class UnnestLateral {
  private UnnestLateral() {}

  /** The tree without such correlations, also in its subqueries. */
  public static RelNode rewrite(RelNode node) {
    List<RelNode> inputs = node.getInputs().stream().map(UnnestLateral::rewrite).toList();
    RelNode copied = inputs.equals(node.getInputs()) ? node : node.copy(node.getTraitSet(), inputs);
    copied =
        copied.accept(
            new RexShuttle() {
              @Override
              public RexNode visitSubQuery(RexSubQuery subquery) {
                RexSubQuery visited = (RexSubQuery) super.visitSubQuery(subquery);
                RelNode rel = rewrite(visited.rel);
                return rel.equals(visited.rel) ? visited : visited.clone(rel);
              }
            });
    return switch (copied) {
      case Correlate correlate -> correlated(correlate).orElse(correlate);
      default -> copied;
    };
  }

  /** Empty when the right side is more than projections and filters over an unnest. */
  private static Optional<RelNode> correlated(Correlate correlate) {
    boolean outer = correlate.getJoinType() == JoinRelType.LEFT;
    if (!outer && correlate.getJoinType() != JoinRelType.INNER) {
      return Optional.empty();
    }
    List<RelNode> above = new ArrayList<>();
    RelNode node = correlate.getRight();
    while (node instanceof Project || node instanceof Filter && !outer) {
      above.add(node);
      node = node.getInput(0);
    }
    if (!(node instanceof Unnest unnest
        && unnest.getInput() instanceof Project lists
        && lists.getInput() instanceof Values values
        && values.getTuples().size() == 1)) {
      return Optional.empty();
    }
    CorrelationId id = correlate.getCorrelationId();
    if (outer && above.stream().anyMatch(one -> !isPlain((Project) one))) {
      return Optional.empty();
    }
    RelNode made = overLeft(correlate.getLeft(), lists, unnest, id, outer);
    int left = correlate.getLeft().getRowType().getFieldCount();
    for (RelNode one : above.reversed()) {
      made = again(one, made, left, id);
    }
    return Optional.of(
        LogicalProject.create(
            made,
            List.of(),
            columns(made, made.getRowType().getFieldCount()),
            correlate.getRowType().getFieldNames(),
            Set.of()));
  }

  private static boolean isPlain(Project project) {
    return project.getProjects().stream().allMatch(RexInputRef.class::isInstance);
  }

  private static RelNode overLeft(
      RelNode left, Project lists, Unnest unnest, CorrelationId id, boolean outer) {
    int count = left.getRowType().getFieldCount();
    List<RexNode> outputs = new ArrayList<>(columns(left, count));
    List<String> names = new ArrayList<>(left.getRowType().getFieldNames());
    List<Integer> places = new ArrayList<>();
    for (int list : unnest.lists()) {
      places.add(outputs.size());
      names.add("$list" + outputs.size());
      outputs.add(resolved(lists.getProjects().get(list), left, id));
    }
    RelNode input = LogicalProject.create(left, List.of(), outputs, names, Set.of());
    List<String> all = new ArrayList<>(left.getRowType().getFieldNames());
    all.addAll(unnest.getRowType().getFieldNames());
    List<Integer> kept = IntStream.range(0, count).boxed().toList();
    return Unnest.of(input, kept, places, unnest.ordinality(), outer, all);
  }

  /** A projection or filter of the right side, over both sides. */
  private static RelNode again(RelNode node, RelNode input, int left, CorrelationId id) {
    if (node instanceof Filter filter) {
      RexNode condition = resolved(shifted(filter.getCondition(), left), input, id);
      return LogicalFilter.create(input, condition);
    }
    Project project = (Project) node;
    List<RexNode> outputs = new ArrayList<>(columns(input, left));
    for (RexNode output : project.getProjects()) {
      outputs.add(resolved(shifted(output, left), input, id));
    }
    List<String> names = new ArrayList<>(input.getRowType().getFieldNames().subList(0, left));
    names.addAll(project.getRowType().getFieldNames());
    return LogicalProject.create(input, List.of(), outputs, names, Set.of());
  }

  private static List<RexNode> columns(RelNode node, int count) {
    RexBuilder builder = node.getCluster().getRexBuilder();
    List<RexNode> columns = new ArrayList<>();
    for (int column = 0; column < count; column++) {
      columns.add(builder.makeInputRef(node, column));
    }
    return columns;
  }

  private static RexNode shifted(RexNode expression, int columns) {
    return org.apache.calcite.rex.RexUtil.shift(expression, columns);
  }

  /** Members of the correlated row as columns of the node, whose first columns they are. */
  private static RexNode resolved(RexNode expression, RelNode node, CorrelationId id) {
    RexBuilder builder = node.getCluster().getRexBuilder();
    return expression.accept(
        new RexShuttle() {
          @Override
          public RexNode visitFieldAccess(RexFieldAccess access) {
            return access.getReferenceExpr() instanceof RexCorrelVariable variable
                    && variable.id.equals(id)
                ? builder.makeInputRef(node, access.getField().getIndex())
                : super.visitFieldAccess(access);
          }
        });
  }
}
