package io.millrace.planner.sql;

import com.google.common.collect.ImmutableList;
import io.millrace.core.type.DataType;
import io.millrace.core.type.TypeCoercion;
import io.millrace.planner.rex.Constants;
import io.millrace.planner.rex.FunctionCalls;
import io.millrace.planner.sql.parser.NamedParameters;
import io.millrace.planner.type.MillraceTypeFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.SetOp;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.logical.LogicalValues;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexDynamicParam;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.sql.SqlKind;

/**
 * What Calcite's conversion leaves open: values for parameters, and casts where its own rules would
 * let two types meet (USING, set operations, VALUES, IN with a query).
 */
final class ConversionRepairs extends RelHomogeneousShuttle {
  private final NamedParameters names;
  private final ParameterValues values;
  private final FunctionCalls calls;
  private final Expressions expressions;
  private final RexBuilder builder;

  ConversionRepairs(
      RexBuilder builder, FunctionCalls calls, NamedParameters names, ParameterValues values) {
    this.builder = builder;
    this.calls = calls;
    this.names = names;
    this.values = values;
    this.expressions = new Expressions();
  }

  @Override
  public RelNode visit(RelNode other) {
    RelNode node = super.visit(other).accept(expressions);
    return switch (node) {
      case SetOp operation -> withCommonTypes(operation);
      case LogicalValues rows -> withRowTypes(rows);
      default -> node;
    };
  }

  private RelNode withCommonTypes(SetOp operation) {
    List<RelNode> inputs = new ArrayList<>();
    for (RelNode input : operation.getInputs()) {
      inputs.add(cast(input, MillraceTypeFactory.schema(operation.getRowType()).types()));
    }
    return inputs.equals(operation.getInputs())
        ? operation
        : operation.copy(operation.getTraitSet(), inputs);
  }

  /** The rows with their columns cast to these types; the same tree when all are of them. */
  private RelNode cast(RelNode input, List<DataType> wanted) {
    if (MillraceTypeFactory.schema(input.getRowType()).types().equals(wanted)) {
      return input;
    }
    List<RexNode> columns = new ArrayList<>();
    for (int index = 0; index < wanted.size(); index++) {
      columns.add(calls.cast(builder.makeInputRef(input, index), wanted.get(index), false));
    }
    return LogicalProject.create(
        input, List.of(), columns, input.getRowType().getFieldNames(), java.util.Set.of());
  }

  /** Literals of VALUES with exactly the types of their columns. */
  private RelNode withRowTypes(LogicalValues rows) {
    List<RelDataTypeField> columns = rows.getRowType().getFieldList();
    List<ImmutableList<RexLiteral>> tuples = new ArrayList<>();
    for (ImmutableList<RexLiteral> row : rows.getTuples()) {
      List<RexLiteral> literals = new ArrayList<>();
      for (int index = 0; index < columns.size(); index++) {
        literals.add(retyped(row.get(index), columns.get(index).getType()));
      }
      tuples.add(ImmutableList.copyOf(literals));
    }
    return LogicalValues.create(rows.getCluster(), rows.getRowType(), ImmutableList.copyOf(tuples));
  }

  private RexLiteral retyped(RexLiteral literal, RelDataType type) {
    DataType wanted = MillraceTypeFactory.dataType(type);
    if (MillraceTypeFactory.dataType(literal.getType()).equals(wanted)) {
      return literal;
    }
    return (RexLiteral)
        Constants.widened(builder, literal, wanted)
            .orElseGet(() -> Constants.of(builder, Constants.value(literal).orElse(null), wanted));
  }

  /** The same inside expressions and their subqueries. */
  private final class Expressions extends RexShuttle {
    @Override
    public RexNode visitDynamicParam(RexDynamicParam parameter) {
      DataType type = MillraceTypeFactory.dataType(parameter.getType());
      return Constants.of(builder, values.value(names.name(parameter.getIndex()), type), type);
    }

    @Override
    public RexNode visitCall(RexCall call) {
      RexNode visited = super.visitCall(call);
      if (visited instanceof RexCall choice
          && (choice.getKind() == SqlKind.COALESCE || choice.getKind() == SqlKind.CASE)) {
        return withCommonResult(choice);
      }
      if (!(visited instanceof RexCall comparison)
          || comparison.getOperands().size() != 2
          || !(comparison.isA(SqlKind.COMPARISON))
          || comparison instanceof RexSubQuery) {
        return visited;
      }
      List<RexNode> operands = comparison.getOperands();
      Optional<List<RexNode>> common =
          MillraceTypeFactory.dataType(operands.get(0).getType())
                  .equals(MillraceTypeFactory.dataType(operands.get(1).getType()))
              ? Optional.empty()
              : calls.toCommonType(operands);
      return common
          .map(cast -> (RexNode) comparison.clone(comparison.getType(), cast))
          .orElse(comparison);
    }

    /** COALESCE and CASE that Calcite made itself, as for the common columns of USING. */
    private RexNode withCommonResult(RexCall choice) {
      DataType type = MillraceTypeFactory.dataType(choice.getType());
      List<RexNode> operands = new ArrayList<>();
      int last = choice.getOperands().size() - 1;
      for (int index = 0; index <= last; index++) {
        boolean condition = choice.getKind() == SqlKind.CASE && index < last && index % 2 == 0;
        RexNode operand = choice.getOperands().get(index);
        operands.add(condition ? operand : calls.cast(operand, type, false));
      }
      return operands.equals(choice.getOperands())
          ? choice
          : choice.clone(choice.getType(), operands);
    }

    @Override
    public RexNode visitSubQuery(RexSubQuery subQuery) {
      RexSubQuery visited = (RexSubQuery) super.visitSubQuery(subQuery);
      RelNode rel = visited.rel.accept(ConversionRepairs.this);
      if (visited.getKind() == SqlKind.IN
          || visited.getKind() == SqlKind.SOME
          || visited.getKind() == SqlKind.ALL) {
        return withCommonTypes(visited, rel);
      }
      return visited.clone(rel);
    }

    private RexNode withCommonTypes(RexSubQuery subQuery, RelNode rel) {
      List<DataType> columns = MillraceTypeFactory.schema(rel.getRowType()).types();
      List<RexNode> operands = new ArrayList<>();
      List<DataType> wanted = new ArrayList<>();
      for (int index = 0; index < columns.size(); index++) {
        RexNode operand = subQuery.getOperands().get(index);
        DataType common =
            TypeCoercion.commonType(
                    MillraceTypeFactory.dataType(operand.getType()), columns.get(index))
                .orElse(columns.get(index));
        wanted.add(common);
        operands.add(calls.cast(operand, common, false));
      }
      return ((RexSubQuery) subQuery.clone(subQuery.getType(), operands)).clone(cast(rel, wanted));
    }
  }
}
