package io.millrace.planner.optimize;

import io.millrace.core.type.DataType;
import io.millrace.planner.logical.FunctionBinding;
import io.millrace.planner.logical.InlineRows;
import io.millrace.planner.logical.Literals;
import io.millrace.planner.type.MillraceTypeFactory;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.IntUnaryOperator;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelCollation;
import org.apache.calcite.rel.RelCollations;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.util.ImmutableBitSet;

/** Small steps that several rules take. */
final class Rewriting {
  private Rewriting() {}

  /** A filter by all of these; the input itself when there are none. */
  static RelNode filter(RelNode input, List<RexNode> conjuncts) {
    if (conjuncts.isEmpty()) {
      return input;
    }
    RexBuilder builder = input.getCluster().getRexBuilder();
    RexNode condition = RexUtil.composeConjunction(builder, conjuncts);
    RexNode flat = condition.accept(new Flatten(builder));
    return LogicalFilter.create(input, retyped(flat, types(input)));
  }

  /** The conjuncts as the condition of a join, over the columns' types as they are. */
  static RexNode condition(
      RexBuilder builder, List<RexNode> conjuncts, RelNode left, RelNode right) {
    return retyped(RexUtil.composeConjunction(builder, conjuncts), types(left, right));
  }

  /**
   * Takes apart an AND in an AND and an OR in an OR, at any depth. Substitution makes them, and
   * Calcite's Filter refuses them.
   */
  private static final class Flatten extends RexShuttle {
    private final RexBuilder builder;

    private Flatten(RexBuilder builder) {
      this.builder = builder;
    }

    @Override
    public RexNode visitCall(RexCall call) {
      RexNode visited = super.visitCall(call);
      if (!(visited instanceof RexCall flat) || RexUtil.isFlat(flat)) {
        return visited;
      }
      return switch (flat.getKind()) {
        case AND ->
            builder.makeCall(
                flat.getType(), flat.getOperator(), RexUtil.flattenAnd(flat.getOperands()));
        case OR ->
            builder.makeCall(
                flat.getType(), flat.getOperator(), RexUtil.flattenOr(flat.getOperands()));
        default -> visited;
      };
    }
  }

  /** The types of the nodes' columns, one node after the other. */
  static List<RelDataType> types(RelNode... nodes) {
    List<RelDataType> types = new ArrayList<>();
    for (RelNode node : nodes) {
      node.getRowType().getFieldList().stream().map(RelDataTypeField::getType).forEach(types::add);
    }
    return types;
  }

  static List<DataType> dataTypes(List<RexNode> expressions) {
    return expressions.stream()
        .map(expression -> MillraceTypeFactory.dataType(expression.getType()))
        .toList();
  }

  /** The expression with the columns' types as they are now; only whether null is may differ. */
  private static RexNode retyped(RexNode expression, List<RelDataType> types) {
    return expression.accept(
        new RexShuttle() {
          @Override
          public RexNode visitInputRef(RexInputRef reference) {
            RelDataType type = types.get(reference.getIndex());
            return reference.getType().equals(type)
                ? reference
                : new RexInputRef(reference.getIndex(), type);
          }
        });
  }

  /**
   * The node over other inputs with the same columns, some of which may have stopped being null.
   */
  static RelNode copy(RelNode node, List<RelNode> inputs) {
    boolean sameTypes = true;
    for (int index = 0; index < inputs.size(); index++) {
      sameTypes &= types(inputs.get(index)).equals(types(node.getInput(index)));
    }
    if (sameTypes) {
      return node.copy(node.getTraitSet(), inputs);
    }
    RelNode first = inputs.getFirst();
    return switch (node) {
      case Filter filter -> filter(first, List.of(filter.getCondition()));
      case Project project ->
          project(first, project.getProjects(), project.getRowType().getFieldNames());
      case Join join ->
          LogicalJoin.create(
              first,
              inputs.getLast(),
              List.of(),
              retyped(join.getCondition(), types(first, inputs.getLast())),
              Set.of(),
              join.getJoinType());
      default -> node.copy(node.getTraitSet(), inputs);
    };
  }

  static RelNode project(RelNode input, List<? extends RexNode> expressions, List<String> names) {
    List<RelDataType> types = types(input);
    return LogicalProject.create(
        input,
        List.of(),
        expressions.stream().map(expression -> retyped(expression, types)).toList(),
        names,
        Set.of());
  }

  /** A projection of plain columns. */
  static RelNode columns(RelNode input, List<Integer> columns, List<String> names) {
    RexBuilder builder = input.getCluster().getRexBuilder();
    return project(
        input, columns.stream().map(column -> builder.makeInputRef(input, column)).toList(), names);
  }

  /** All columns of the input as expressions. */
  static List<RexNode> allColumns(RelNode input) {
    List<RexNode> columns = new ArrayList<>();
    RexBuilder builder = input.getCluster().getRexBuilder();
    for (int column = 0; column < input.getRowType().getFieldCount(); column++) {
      columns.add(builder.makeInputRef(input, column));
    }
    return columns;
  }

  /** The order with each column moved. */
  static RelCollation moved(RelCollation order, IntUnaryOperator place) {
    return RelCollations.of(
        order.getFieldCollations().stream()
            .map(key -> key.withFieldIndex(place.applyAsInt(key.getFieldIndex())))
            .toList());
  }

  /** The expression with each column moved. */
  static RexNode moved(RexNode expression, IntUnaryOperator place) {
    return expression.accept(
        new RexShuttle() {
          @Override
          public RexNode visitInputRef(RexInputRef reference) {
            int moved = place.applyAsInt(reference.getIndex());
            return moved == reference.getIndex()
                ? reference
                : new RexInputRef(moved, reference.getType());
          }
        });
  }

  /** The expression with each column replaced by the projection's expression for it. */
  static RexNode substituted(RexNode expression, List<RexNode> replacements) {
    return expression.accept(
        new RexShuttle() {
          @Override
          public RexNode visitInputRef(RexInputRef reference) {
            return replacements.get(reference.getIndex());
          }
        });
  }

  static ImmutableBitSet columnsOf(RexNode expression) {
    return RelOptUtil.InputFinder.bits(expression);
  }

  /** How often each column is named in the expressions. */
  static int[] uses(List<RexNode> expressions, int columnCount) {
    int[] uses = new int[columnCount];
    for (RexNode expression : expressions) {
      expression.accept(
          new RexShuttle() {
            @Override
            public RexNode visitInputRef(RexInputRef reference) {
              uses[reference.getIndex()]++;
              return reference;
            }
          });
    }
    return uses;
  }

  /** Whether the projection only renames or not even that. */
  static boolean isIdentity(Project project) {
    List<RexNode> expressions = project.getProjects();
    if (expressions.size() != project.getInput().getRowType().getFieldCount()) {
      return false;
    }
    for (int column = 0; column < expressions.size(); column++) {
      if (!(expressions.get(column) instanceof RexInputRef reference)
          || reference.getIndex() != column) {
        return false;
      }
    }
    return true;
  }

  /** Whether evaluating the expression again costs next to nothing. */
  static boolean isTrivial(RexNode expression) {
    return expression instanceof RexInputRef || Literals.isConstant(expression);
  }

  /** Whether a part of the expression works on values that may be large. */
  static boolean isCostly(RexNode expression) {
    if (!(expression instanceof RexCall call) || Literals.isConstant(call)) {
      return false;
    }
    return isLarge(MillraceTypeFactory.dataType(call.getType()))
        || FunctionBinding.userFunction(call).isPresent()
        || call.getOperands().stream()
            .anyMatch(
                operand ->
                    isLarge(MillraceTypeFactory.dataType(operand.getType())) || isCostly(operand));
  }

  private static boolean isLarge(DataType type) {
    return switch (type) {
      case DataType.Binary unused -> true;
      case DataType.Image unused -> true;
      case DataType.FixedShapeImage unused -> true;
      case DataType.Tensor unused -> true;
      case DataType.FixedShapeTensor unused -> true;
      case DataType.SparseTensor unused -> true;
      case DataType.File unused -> true;
      case DataType.Embedding unused -> true;
      default -> false;
    };
  }

  static boolean isLimit(Sort sort) {
    return sort.getCollation().getFieldCollations().isEmpty();
  }

  /** The rows that are skipped. */
  static long offset(Sort sort) {
    return sort.offset == null ? 0 : count(sort.offset);
  }

  /** The most rows that come out; Long.MAX_VALUE without a limit. */
  static long fetch(Sort sort) {
    return sort.fetch == null ? Long.MAX_VALUE : count(sort.fetch);
  }

  /** Rows that must be known to give the limited ones. */
  static long needed(Sort sort) {
    long sum = offset(sort) + fetch(sort);
    return sum < 0 ? Long.MAX_VALUE : sum;
  }

  private static long count(RexNode literal) {
    return literal instanceof RexLiteral known
        ? known.getValueAs(BigDecimal.class).min(BigDecimal.valueOf(Long.MAX_VALUE)).longValue()
        : Long.MAX_VALUE;
  }

  static RexNode count(RexBuilder builder, long rows) {
    return Literals.of(builder, rows, DataType.INT64);
  }

  /** No rows, with the node's columns. */
  static RelNode empty(RelNode node) {
    return InlineRows.of(
        node.getCluster(), MillraceTypeFactory.schema(node.getRowType()), List.of());
  }

  static boolean isEmpty(RelNode node) {
    return node instanceof InlineRows rows && rows.rows().isEmpty();
  }
}
