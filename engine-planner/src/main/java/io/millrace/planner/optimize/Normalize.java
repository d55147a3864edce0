package io.millrace.planner.optimize;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.spi.ConstantEvaluator;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import io.millrace.core.type.TypeCoercion;
import io.millrace.planner.logical.AggregateOperator;
import io.millrace.planner.logical.FunctionBinding;
import io.millrace.planner.logical.InlineRows;
import io.millrace.planner.logical.Literals;
import io.millrace.planner.logical.OperatorNames;
import io.millrace.planner.logical.Recursion;
import io.millrace.planner.logical.WorkTable;
import io.millrace.planner.type.MillraceTypeFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.calcite.plan.RelOptTable;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Intersect;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.Minus;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.RepeatUnion;
import org.apache.calcite.rel.core.SetOp;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.core.TableSpool;
import org.apache.calcite.rel.core.Union;
import org.apache.calcite.rel.core.Values;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rel.logical.LogicalSort;
import org.apache.calcite.rel.logical.LogicalUnion;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexOver;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.schema.TransientTable;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * Rebuilds a tree bottom-up in one form, so that rules see few kinds of nodes and equal queries
 * become equal trees: expressions as {@link ExpressionNormalizer} makes them, one operator per
 * aggregate function, constant rows as {@link InlineRows}, set operations as joins and aggregates.
 */
final class Normalize {
  private final RexBuilder builder;
  private final FunctionBinding binding;
  private final ExpressionNormalizer expressions;

  Normalize(RexBuilder builder, FunctionBinding binding, Optional<ConstantEvaluator> evaluator) {
    this.builder = builder;
    this.binding = binding;
    this.expressions = new ExpressionNormalizer(builder, binding, evaluator);
  }

  RelNode rewrite(RelNode node) {
    return rewrite(node, node.getInputs().stream().map(this::rewrite).toList());
  }

  private RelNode rewrite(RelNode node, List<RelNode> inputs) {
    return switch (node) {
      case Values values -> InlineRows.of(values);
      case Filter filter -> filter(filter, inputs.getFirst());
      case Project project -> project(project, inputs.getFirst());
      case Join join -> join(join, inputs.getFirst(), inputs.getLast());
      case Aggregate aggregate -> aggregate(aggregate, inputs.getFirst());
      case Sort sort -> sort(sort, inputs.getFirst());
      case Union union -> union(union, inputs);
      case RepeatUnion recursion -> recursion(recursion, inputs);
      case TableSpool spool -> inputs.getFirst();
      case TableScan scan when scan.getTable().unwrap(TransientTable.class) != null ->
          WorkTable.of(scan.getCluster(), name(scan.getTable()), nullable(scan.getRowType()));
      case Intersect intersect -> matching(intersect, inputs, JoinRelType.SEMI);
      case Minus minus -> matching(minus, inputs, JoinRelType.ANTI);
      default -> inputs.isEmpty() ? node : Rewriting.copy(node, inputs);
    };
  }

  private RelNode filter(Filter filter, RelNode input) {
    if (RexOver.containsOver(filter.getCondition())) {
      ExtractWindows.Result result = extracted(List.of(filter.getCondition()), input);
      RelNode kept =
          filter(
              LogicalFilter.create(result.node(), result.expressions().getFirst()), result.node());
      List<Integer> columns =
          IntStream.range(0, input.getRowType().getFieldCount()).boxed().toList();
      return Rewriting.columns(kept, columns, input.getRowType().getFieldNames());
    }
    RexNode condition =
        asFilter(expressions.normalize(filter.getCondition(), Rewriting.types(input)));
    if (condition.isAlwaysTrue()) {
      return input;
    }
    return condition.isAlwaysFalse() || Literals.isNull(condition)
        ? Rewriting.empty(input)
        : Rewriting.filter(input, List.of(condition));
  }

  /** In a filter null is as good as false: {@code x = x} only asks that x is not null. */
  private RexNode asFilter(RexNode condition) {
    List<RexNode> conjuncts = new ArrayList<>();
    for (RexNode conjunct : RelOptUtil.conjunctions(condition)) {
      boolean reflexive =
          conjunct.getKind() == SqlKind.EQUALS
              && ((RexCall) conjunct)
                  .getOperands()
                  .getFirst()
                  .equals(((RexCall) conjunct).getOperands().getLast())
              && !FunctionBinding.isVolatile(conjunct);
      if (!reflexive) {
        conjuncts.add(conjunct);
      } else if (conjunct.getType().isNullable()) {
        RexNode value = ((RexCall) conjunct).getOperands().getFirst();
        conjuncts.add(binding.call("is_not_null", List.of(value)));
      }
    }
    return RexUtil.composeConjunction(builder, conjuncts);
  }

  private ExtractWindows.Result extracted(List<RexNode> outputs, RelNode input) {
    return new ExtractWindows(binding, expressions, input).extract(outputs);
  }

  private RelNode project(Project project, RelNode input) {
    ExtractWindows.Result result =
        project.containsOver()
            ? extracted(project.getProjects(), input)
            : new ExtractWindows.Result(input, project.getProjects());
    List<RelDataType> types = Rewriting.types(result.node());
    List<RexNode> outputs =
        result.expressions().stream().map(one -> expressions.normalize(one, types)).toList();
    return Rewriting.project(result.node(), outputs, project.getRowType().getFieldNames());
  }

  private RelNode join(Join join, RelNode left, RelNode right) {
    RexNode condition = expressions.normalize(join.getCondition(), Rewriting.types(left, right));
    return LogicalJoin.create(left, right, List.of(), condition, Set.of(), join.getJoinType());
  }

  private RelNode aggregate(Aggregate aggregate, RelNode given) {
    if (aggregate.getGroupType() != Aggregate.Group.SIMPLE
        || aggregate.getAggCallList().stream().anyMatch(GroupingSets::isGrouping)) {
      return rewriteAbove(new GroupingSets(binding, aggregate, given).rewrite(), given);
    }
    RelNode input = withFilters(aggregate, given);
    int nextFilter = given.getRowType().getFieldCount();
    List<AggregateCall> calls = new ArrayList<>();
    List<RexNode> outputs = new ArrayList<>();
    for (int key = 0; key < aggregate.getGroupCount(); key++) {
      int column = aggregate.getGroupSet().nth(key);
      outputs.add(new RexInputRef(key, input.getRowType().getFieldList().get(column).getType()));
    }
    for (AggregateCall call : aggregate.getAggCallList()) {
      boolean refiltered = mayBeNull(call, given);
      AggregateCall made = call(refiltered ? call.withFilter(nextFilter++) : call, input);
      RexNode result = new RexInputRef(aggregate.getGroupCount() + calls.size(), made.getType());
      calls.add(made);
      DataType declared = MillraceTypeFactory.dataType(call.getType());
      outputs.add(binding.cast(result, declared));
    }
    RelNode made =
        LogicalAggregate.create(
            input, List.of(), aggregate.getGroupSet(), aggregate.getGroupSets(), calls);
    boolean plain =
        outputs.size() == aggregate.getGroupCount() + calls.size()
            && outputs.stream().allMatch(RexInputRef.class::isInstance);
    return plain ? made : Rewriting.project(made, outputs, aggregate.getRowType().getFieldNames());
  }

  /**
   * The input and, for each FILTER whose column may be null, a column that tells whether it is
   * true: Calcite demands one without nulls, and our types of its operands may be wider than
   * Calcite's.
   */
  private RelNode withFilters(Aggregate aggregate, RelNode input) {
    List<RexNode> columns = new ArrayList<>(Rewriting.allColumns(input));
    List<String> names = new ArrayList<>(input.getRowType().getFieldNames());
    for (AggregateCall call : aggregate.getAggCallList()) {
      if (mayBeNull(call, input)) {
        names.add("$filter" + columns.size());
        columns.add(binding.call("is_true", List.of(columns.get(call.filterArg))));
      }
    }
    return columns.size() == input.getRowType().getFieldCount()
        ? input
        : Rewriting.project(input, columns, names);
  }

  private static boolean mayBeNull(AggregateCall call, RelNode input) {
    return call.filterArg >= 0
        && input.getRowType().getFieldList().get(call.filterArg).getType().isNullable();
  }

  /** Normalizes what was put over a node that is done. */
  private RelNode rewriteAbove(RelNode node, RelNode done) {
    if (node.equals(done)) {
      return node;
    }
    List<RelNode> inputs =
        node.getInputs().stream().map(input -> rewriteAbove(input, done)).toList();
    return rewrite(node, inputs);
  }

  private AggregateCall call(AggregateCall call, RelNode input) {
    String name = OperatorNames.function(call.getAggregation());
    if (!call.rexList.isEmpty()) {
      throw new MillraceException(
          ErrorCode.UNSUPPORTED_SQL, "This aggregate is not supported: " + call);
    }
    AggregateCall made =
        AggregateOperator.call(
            binding.registry(),
            (MillraceTypeFactory) builder.getTypeFactory(),
            name,
            call.isDistinct(),
            call.getArgList(),
            call.filterArg,
            input.getRowType(),
            call.getName());
    return AggregateOperator.readsOrder(made) ? made.withCollation(call.getCollation()) : made;
  }

  private RelNode sort(Sort sort, RelNode input) {
    long fetch = Rewriting.fetch(sort);
    long offset = Rewriting.offset(sort);
    if (fetch == 0) {
      return Rewriting.empty(input);
    }
    boolean keepsAll = fetch == Long.MAX_VALUE && offset == 0;
    if (keepsAll && Rewriting.isLimit(sort)) {
      return input;
    }
    return LogicalSort.create(
        input,
        sort.getCollation(),
        offset == 0 ? null : Rewriting.count(builder, offset),
        fetch == Long.MAX_VALUE ? null : Rewriting.count(builder, fetch));
  }

  private RelNode union(Union union, List<RelNode> inputs) {
    List<RelNode> all = new ArrayList<>();
    for (RelNode input : aligned(inputs, union.getRowType())) {
      boolean nested = input instanceof Union && ((Union) input).all;
      all.addAll(nested ? input.getInputs() : List.of(input));
    }
    RelNode made = all.size() == 1 ? all.getFirst() : LogicalUnion.create(all, true);
    return union.all ? made : distinct(made);
  }

  /** The step's columns have the types of the first part's, whose rows it reads too. */
  private RelNode recursion(RepeatUnion recursion, List<RelNode> inputs) {
    Schema schema = nullable(recursion.getSeedRel().getRowType());
    Schema step = MillraceTypeFactory.schema(inputs.getLast().getRowType());
    for (int column = 0; column < schema.size(); column++) {
      DataType wanted = schema.field(column).type();
      if (!TypeCoercion.canWiden(step.field(column).type(), wanted)) {
        throw new MillraceException(
            ErrorCode.TYPE_MISMATCH,
            "A column of a recursive query has another type in its second part; cast it in the"
                + " first: "
                + schema.field(column).name()
                + " is "
                + wanted
                + ", then "
                + step.field(column).type());
      }
    }
    RelDataType rowType = ((MillraceTypeFactory) builder.getTypeFactory()).rowType(schema);
    List<RelNode> aligned = aligned(inputs, rowType);
    return Recursion.of(
        aligned.getFirst(),
        aligned.getLast(),
        name(recursion.getTransientTable()),
        recursion.all,
        schema);
  }

  private static String name(RelOptTable table) {
    return String.join(".", table.getQualifiedName());
  }

  private static Schema nullable(RelDataType rowType) {
    return new Schema(
        MillraceTypeFactory.schema(rowType).fields().stream()
            .map(field -> Field.nullable(field.name(), field.type()))
            .toList());
  }

  private static RelNode distinct(RelNode node) {
    return LogicalAggregate.create(
        node, List.of(), ImmutableBitSet.range(node.getRowType().getFieldCount()), null, List.of());
  }

  /** Inputs cast to the types of the whole. */
  private List<RelNode> aligned(List<RelNode> inputs, RelDataType rowType) {
    List<RelNode> result = new ArrayList<>();
    for (RelNode input : inputs) {
      List<RexNode> outputs = new ArrayList<>();
      for (RexNode column : Rewriting.allColumns(input)) {
        RelDataType wanted = rowType.getFieldList().get(outputs.size()).getType();
        outputs.add(binding.cast(column, MillraceTypeFactory.dataType(wanted)));
      }
      boolean same = outputs.stream().allMatch(RexInputRef.class::isInstance);
      result.add(
          same ? input : Rewriting.project(input, outputs, input.getRowType().getFieldNames()));
    }
    return result;
  }

  /** INTERSECT and EXCEPT: distinct rows of the first input with or without an equal one. */
  private RelNode matching(SetOp operation, List<RelNode> inputs, JoinRelType type) {
    List<RelNode> aligned = aligned(inputs, operation.getRowType());
    if (operation.all) {
      return new CountedSets(binding, type == JoinRelType.SEMI).combine(aligned);
    }
    RelNode result = distinct(aligned.getFirst());
    for (RelNode other : aligned.subList(1, aligned.size())) {
      int columns = result.getRowType().getFieldCount();
      List<RexNode> equal = new ArrayList<>();
      List<RexNode> left = Rewriting.allColumns(result);
      List<RexNode> right = Rewriting.allColumns(other);
      for (int column = 0; column < columns; column++) {
        equal.add(
            binding.call(
                "is_not_distinct_from",
                List.of(left.get(column), RexUtil.shift(right.get(column), columns))));
      }
      result =
          LogicalJoin.create(
              result, other, List.of(), RexUtil.composeConjunction(builder, equal), Set.of(), type);
    }
    return result;
  }
}
