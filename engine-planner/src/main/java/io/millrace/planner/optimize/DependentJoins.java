package io.millrace.planner.optimize;

import com.google.common.collect.ImmutableSet;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.type.DataType;
import io.millrace.planner.logical.FunctionBinding;
import io.millrace.planner.logical.Literals;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Correlate;
import org.apache.calcite.rel.core.CorrelationId;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.SetOp;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCorrelVariable;
import org.apache.calcite.rex.RexFieldAccess;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexOver;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * Removes correlation of any depth: the different values that the outer rows hand in are joined to
 * the inner plan where it first reads them, go up with its rows as further columns, and meet the
 * outer rows again at the top. For what Calcite's own decorrelation gives up on; the plans are
 * larger than its, since outer rows are read twice.
 *
 * <pre>
 * Correlate $v                  Project [l.*, sum]
 *   l                             Join LEFT l.a IS NOT DISTINCT FROM d.a
 *   Aggregate [sum]         →       l
 *     Filter r.b = $v.a             Join LEFT d.a IS NOT DISTINCT FROM s.a
 *       r                             Aggregate by a (d)
 *                                       l
 *                                     Aggregate by a [sum] (s)
 *                                       Filter r.b = d.a
 *                                         Join INNER true
 *                                           r
 *                                           Aggregate by a (d)
 *                                             l
 * </pre>
 */
final class DependentJoins {
  private static final Set<String> ZERO_OF_NO_ROWS =
      Set.of("count", "count_if", "approx_count_distinct", "regr_count", "$sum0");

  private final RexBuilder builder;
  private final FunctionBinding binding;

  DependentJoins(RexBuilder builder, FunctionBinding binding) {
    this.builder = builder;
    this.binding = binding;
  }

  /**
   * @throws MillraceException UNSUPPORTED_SQL where a node stands between that no rule is known for
   */
  RelNode rewrite(RelNode node) {
    List<RelNode> inputs = node.getInputs().stream().map(this::rewrite).toList();
    if (node instanceof Correlate correlate) {
      return joined(correlate, inputs.getFirst(), inputs.getLast());
    }
    return inputs.equals(node.getInputs()) ? node : Rewriting.copy(node, inputs);
  }

  private RelNode joined(Correlate correlate, RelNode left, RelNode right) {
    List<Integer> read = correlate.getRequiredColumns().asList();
    Pushing pushing = new Pushing(correlate.getCorrelationId(), read, values(left, read));
    RelNode inner = pushing.push(right);
    int leftColumns = left.getRowType().getFieldCount();
    int rightColumns = right.getRowType().getFieldCount();
    List<RexNode> equal = new ArrayList<>();
    List<RexNode> outer = Rewriting.allColumns(left);
    List<RexNode> own = Rewriting.allColumns(inner);
    for (int key = 0; key < read.size(); key++) {
      RexNode handedIn = RexUtil.shift(own.get(rightColumns + key), leftColumns);
      equal.add(same(outer.get(read.get(key)), handedIn));
    }
    JoinRelType type = correlate.getJoinType();
    RelNode joined =
        LogicalJoin.create(
            left, inner, List.of(), RexUtil.composeConjunction(builder, equal), Set.of(), type);
    return type.projectsRight()
        ? firstColumns(joined, leftColumns + rightColumns, correlate.getRowType().getFieldNames())
        : joined;
  }

  private RexNode same(RexNode left, RexNode right) {
    return binding.call("is_not_distinct_from", List.of(left, right));
  }

  /** The different values of the columns. */
  private static RelNode values(RelNode left, List<Integer> read) {
    List<String> names = read.stream().map(left.getRowType().getFieldNames()::get).toList();
    return LogicalAggregate.create(
        Rewriting.columns(left, read, names),
        List.of(),
        ImmutableBitSet.range(read.size()),
        null,
        List.of());
  }

  private static RelNode firstColumns(RelNode node, int count, List<String> names) {
    List<Integer> columns = new ArrayList<>();
    for (int column = 0; column < count; column++) {
      columns.add(column);
    }
    return Rewriting.columns(node, columns, names);
  }

  /** Takes the values of one variable into a plan; results have them as last columns. */
  private final class Pushing {
    private final CorrelationId variable;
    private final List<Integer> read;
    private final RelNode values;

    Pushing(CorrelationId variable, List<Integer> read, RelNode values) {
      this.variable = variable;
      this.read = read;
      this.values = values;
    }

    private boolean isFree(RelNode node) {
      boolean[] found = {false};
      RexShuttle finder =
          new RexShuttle() {
            @Override
            public RexNode visitCorrelVariable(RexCorrelVariable known) {
              found[0] |= known.id.equals(variable);
              return known;
            }
          };
      node.accept(finder);
      return !found[0] && node.getInputs().stream().allMatch(this::isFree);
    }

    RelNode push(RelNode node) {
      if (isFree(node)) {
        return join(node, values, List.of(), JoinRelType.INNER);
      }
      return switch (node) {
        case Filter filter -> {
          RelNode input = push(filter.getInput());
          yield LogicalFilter.create(input, bound(filter.getCondition(), input), ImmutableSet.of());
        }
        case Project project -> project(project);
        case Join join -> join(join);
        case Aggregate aggregate -> aggregate(aggregate);
        case SetOp set ->
            set.copy(set.getTraitSet(), set.getInputs().stream().map(this::push).toList());
        case Sort sort when sort.fetch == null && sort.offset == null -> push(sort.getInput());
        default ->
            throw new MillraceException(
                ErrorCode.UNSUPPORTED_SQL,
                "This kind of correlated subquery is not supported; write it as a join: "
                    + node.getRelTypeName());
      };
    }

    /** The expression with the variable's fields as the last columns of the input. */
    private RexNode bound(RexNode expression, RelNode input) {
      List<RexNode> columns = Rewriting.allColumns(input);
      return bound(expression, columns, columns.size() - read.size());
    }

    private RexNode bound(RexNode expression, List<RexNode> columns, int firstKey) {
      return expression.accept(
          new RexShuttle() {
            @Override
            public RexNode visitFieldAccess(RexFieldAccess access) {
              return access.getReferenceExpr() instanceof RexCorrelVariable known
                      && known.id.equals(variable)
                  ? columns.get(firstKey + read.indexOf(access.getField().getIndex()))
                  : super.visitFieldAccess(access);
            }

            @Override
            public RexNode visitOver(RexOver over) {
              throw new MillraceException(
                  ErrorCode.UNSUPPORTED_SQL,
                  "Window functions in a correlated subquery are not supported: " + over);
            }
          });
    }

    private List<RexNode> keys(RelNode node) {
      List<RexNode> all = Rewriting.allColumns(node);
      return all.subList(all.size() - read.size(), all.size());
    }

    private RelNode project(Project project) {
      RelNode input = push(project.getInput());
      List<RexNode> outputs = new ArrayList<>();
      project.getProjects().forEach(output -> outputs.add(bound(output, input)));
      outputs.addAll(keys(input));
      return withKeyNames(input, outputs, project.getRowType().getFieldNames());
    }

    private RelNode withKeyNames(RelNode input, List<RexNode> outputs, List<String> names) {
      List<String> all = new ArrayList<>(names);
      while (all.size() < outputs.size()) {
        all.add("$key" + all.size());
      }
      return LogicalProject.create(input, List.of(), outputs, all, Set.of());
    }

    private RelNode join(RelNode left, RelNode right, List<RexNode> condition, JoinRelType type) {
      return LogicalJoin.create(
          left, right, List.of(), RexUtil.composeConjunction(builder, condition), Set.of(), type);
    }

    /** A side whose rows may be missing takes the values too, so that only equal ones meet. */
    private RelNode join(Join join) {
      JoinRelType type = join.getJoinType();
      boolean leftReads = !isFree(join.getLeft());
      boolean rightReads = !isFree(join.getRight());
      boolean pushRight = rightReads || type.generatesNullsOnLeft();
      boolean pushLeft = leftReads || !pushRight || type != JoinRelType.INNER && !isRight(type);
      if (type == JoinRelType.FULL) {
        throw new MillraceException(
            ErrorCode.UNSUPPORTED_SQL, "A full join in a correlated subquery is not supported.");
      }
      RelNode left = pushLeft ? push(join.getLeft()) : join.getLeft();
      RelNode right = pushRight ? push(join.getRight()) : join.getRight();
      int oldLeft = join.getLeft().getRowType().getFieldCount();
      int newLeft = left.getRowType().getFieldCount();
      int oldRight = join.getRight().getRowType().getFieldCount();
      List<RexNode> both = new ArrayList<>(Rewriting.allColumns(left));
      Rewriting.allColumns(right).forEach(column -> both.add(RexUtil.shift(column, newLeft)));
      int firstKey = pushLeft && !isRight(type) ? oldLeft : newLeft + oldRight;
      RexNode moved =
          Rewriting.moved(
              join.getCondition(),
              column -> column < oldLeft ? column : column - oldLeft + newLeft);
      List<RexNode> condition = new ArrayList<>(List.of(bound(moved, both, firstKey)));
      for (int key = 0; pushLeft && pushRight && key < read.size(); key++) {
        condition.add(same(both.get(oldLeft + key), both.get(newLeft + oldRight + key)));
      }
      RelNode joined = join(left, right, condition, type);
      if (!type.projectsRight()) {
        return joined;
      }
      List<RexNode> all = Rewriting.allColumns(joined);
      List<RexNode> outputs = new ArrayList<>(all.subList(0, oldLeft));
      outputs.addAll(all.subList(newLeft, newLeft + oldRight));
      outputs.addAll(all.subList(firstKey, firstKey + read.size()));
      return withKeyNames(joined, outputs, join.getRowType().getFieldNames());
    }

    private static boolean isRight(JoinRelType type) {
      return type == JoinRelType.RIGHT;
    }

    private RelNode aggregate(Aggregate aggregate) {
      RelNode input = push(aggregate.getInput());
      int old = aggregate.getInput().getRowType().getFieldCount();
      ImmutableBitSet handedIn = ImmutableBitSet.range(old, old + read.size());
      int keyCount = aggregate.getGroupCount();
      RelNode grouped =
          LogicalAggregate.create(
              input,
              List.of(),
              aggregate.getGroupSet().union(handedIn),
              aggregate.getGroupSets().stream().map(set -> set.union(handedIn)).toList(),
              aggregate.getAggCallList());
      List<RexNode> all = Rewriting.allColumns(grouped);
      List<RexNode> outputs = new ArrayList<>(all.subList(0, keyCount));
      outputs.addAll(all.subList(keyCount + read.size(), all.size()));
      outputs.addAll(all.subList(keyCount, keyCount + read.size()));
      RelNode placed = withKeyNames(grouped, outputs, aggregate.getRowType().getFieldNames());
      return keyCount == 0 && aggregate.getGroupSets().size() == 1
          ? withEmptyGroups(aggregate, placed)
          : placed;
    }

    /** Without GROUP BY each value has one result, also where no row is aggregated. */
    private RelNode withEmptyGroups(Aggregate aggregate, RelNode grouped) {
      int callCount = aggregate.getAggCallList().size();
      List<RexNode> conditions = new ArrayList<>();
      List<RexNode> outer = Rewriting.allColumns(values);
      List<RexNode> own = keys(grouped);
      for (int key = 0; key < read.size(); key++) {
        conditions.add(same(outer.get(key), RexUtil.shift(own.get(key), read.size())));
      }
      RelNode joined = join(values, grouped, conditions, JoinRelType.LEFT);
      List<RexNode> all = Rewriting.allColumns(joined);
      List<RexNode> outputs = new ArrayList<>();
      for (int call = 0; call < callCount; call++) {
        RexNode result = all.get(read.size() + call);
        String name = aggregate.getAggCallList().get(call).getAggregation().getName();
        boolean zero = ZERO_OF_NO_ROWS.contains(name.toLowerCase(java.util.Locale.ROOT));
        outputs.add(
            zero
                ? binding.coalesce(List.of(result, Literals.of(builder, 0L, DataType.INT64)))
                : result);
      }
      outputs.addAll(all.subList(0, read.size()));
      return withKeyNames(joined, outputs, aggregate.getRowType().getFieldNames());
    }
  }
}
