package io.millrace.planner.optimize;

import io.millrace.planner.logical.FunctionBinding;
import io.millrace.planner.logical.UdfCall;
import io.millrace.planner.statistics.Estimates;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * What a side of a join computes from large values, and calls of user-defined functions, are
 * computed after the join, unless its condition reads them or it is known to give more rows than
 * the side has. A heavy column then stays a reference until the join has dropped rows.
 *
 * <pre>
 * Join INNER                           Project [id, decode(image)]
 *   Project [id, decode(image)]    →     Join INNER
 *     Scan t                               Project [id, image]
 *   Scan u                                   Scan t
 *                                          Scan u
 * </pre>
 */
final class PullCostlyAboveJoin implements Rule {
  @Override
  public Optional<RelNode> apply(RelNode node, RuleContext context) {
    if (!(node instanceof Join join)) {
      return Optional.empty();
    }
    if (!join.getJoinType().generatesNullsOnLeft()
        && keepsRowCount(context.estimates(), join, join.getLeft())) {
      Optional<RelNode> pulled = pulled(join, true);
      if (pulled.isPresent()) {
        return pulled;
      }
    }
    boolean rightComesOut =
        join.getJoinType() == JoinRelType.INNER || join.getJoinType() == JoinRelType.RIGHT;
    return rightComesOut && keepsRowCount(context.estimates(), join, join.getRight())
        ? pulled(join, false)
        : Optional.empty();
  }

  private static boolean keepsRowCount(Estimates estimates, Join join, RelNode side) {
    OptionalDouble joined = estimates.rows(join);
    OptionalDouble own = estimates.rows(side);
    return joined.isEmpty() || own.isEmpty() || joined.getAsDouble() <= own.getAsDouble();
  }

  private static Optional<RelNode> pulled(Join join, boolean left) {
    int leftColumns = join.getLeft().getRowType().getFieldCount();
    ImmutableBitSet condition = Rewriting.columnsOf(join.getCondition());
    ImmutableBitSet read =
        left
            ? condition.intersect(ImmutableBitSet.range(leftColumns))
            : condition.except(ImmutableBitSet.range(leftColumns)).shift(-leftColumns);
    return switch (left ? join.getLeft() : join.getRight()) {
      case Project project -> project(join, left, project, read);
      case UdfCall call
          when call.function().options().deterministic()
              && !read.get(call.getRowType().getFieldCount() - 1) ->
          Optional.of(udf(join, left, call));
      default -> Optional.empty();
    };
  }

  private static Optional<RelNode> project(
      Join join, boolean left, Project project, ImmutableBitSet read) {
    List<RexNode> outputs = project.getProjects();
    ImmutableBitSet costly =
        ImmutableBitSet.of(
            IntStream.range(0, outputs.size())
                .filter(
                    column ->
                        !read.get(column)
                            && Rewriting.isCostly(outputs.get(column))
                            && !FunctionBinding.isVolatile(outputs.get(column)))
                .boxed()
                .toList());
    if (costly.isEmpty()) {
      return Optional.empty();
    }
    // below: the other outputs in order, then the input columns that the costly ones read
    List<RexNode> below = new ArrayList<>();
    List<String> names = new ArrayList<>();
    int[] places = new int[outputs.size()];
    for (int column = 0; column < outputs.size(); column++) {
      if (!costly.get(column)) {
        places[column] = below.size();
        below.add(outputs.get(column));
        names.add(project.getRowType().getFieldNames().get(column));
      }
    }
    TreeMap<Integer, Integer> inputs = new TreeMap<>();
    List<RexNode> allInputs = Rewriting.allColumns(project.getInput());
    for (int column : costly) {
      for (int input : Rewriting.columnsOf(outputs.get(column))) {
        inputs.computeIfAbsent(
            input,
            unused -> {
              below.add(allInputs.get(input));
              names.add(project.getInput().getRowType().getFieldNames().get(input));
              return below.size() - 1;
            });
      }
    }
    RelNode side = Rewriting.project(project.getInput(), below, names);
    Joined joined = joined(join, left, side, column -> places[column]);
    List<RexNode> above = new ArrayList<>();
    for (int column = 0; column < joined.oldColumns(); column++) {
      int own = column - joined.oldFirstColumn();
      boolean computed = own >= 0 && own < outputs.size() && costly.get(own);
      above.add(
          computed
              ? Rewriting.moved(outputs.get(own), input -> joined.firstColumn() + inputs.get(input))
              : joined.column(column));
    }
    return Optional.of(Rewriting.project(joined.node(), above, join.getRowType().getFieldNames()));
  }

  /** The function's result stands last in its side, and last of all after the join. */
  private static RelNode udf(Join join, boolean left, UdfCall call) {
    int result = call.getRowType().getFieldCount() - 1;
    Joined joined = joined(join, left, call.getInput(), column -> column);
    RelNode called =
        call.over(
            joined.node(),
            call.arguments().stream().map(argument -> joined.firstColumn() + argument).toList());
    int last = called.getRowType().getFieldCount() - 1;
    List<RexNode> columns = new ArrayList<>();
    List<RexNode> all = Rewriting.allColumns(called);
    for (int column = 0; column < joined.oldColumns(); column++) {
      columns.add(
          column == joined.oldFirstColumn() + result
              ? all.get(last)
              : all.get(((RexInputRef) joined.column(column)).getIndex()));
    }
    return Rewriting.project(called, columns, join.getRowType().getFieldNames());
  }

  /**
   * A join with one side replaced.
   *
   * @param firstColumn where the replaced side's columns begin
   * @param oldFirstColumn where they began before
   * @param oldColumns number of columns before
   * @param places new place of each old column
   */
  private record Joined(
      RelNode node, int firstColumn, int oldFirstColumn, int oldColumns, int[] places) {
    RexNode column(int old) {
      return node.getCluster().getRexBuilder().makeInputRef(node, places[old]);
    }
  }

  private static Joined joined(
      Join join, boolean left, RelNode side, java.util.function.IntUnaryOperator ownPlace) {
    int oldLeft = join.getLeft().getRowType().getFieldCount();
    int oldRight = join.getRight().getRowType().getFieldCount();
    int newLeft = left ? side.getRowType().getFieldCount() : oldLeft;
    int[] places = new int[oldLeft + oldRight];
    for (int column = 0; column < places.length; column++) {
      boolean inLeft = column < oldLeft;
      int own = inLeft ? column : column - oldLeft;
      int place = inLeft == left ? ownPlace.applyAsInt(own) : own;
      places[column] = inLeft ? place : newLeft + place;
    }
    RelNode node =
        LogicalJoin.create(
            left ? side : join.getLeft(),
            left ? join.getRight() : side,
            List.of(),
            Rewriting.moved(join.getCondition(), column -> places[column]),
            Set.of(),
            join.getJoinType());
    return new Joined(
        node, left ? 0 : newLeft, left ? 0 : oldLeft, join.getRowType().getFieldCount(), places);
  }
}
