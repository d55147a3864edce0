package io.millrace.planner.sql;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.function.FunctionDefinition;
import io.millrace.core.type.DataType;
import io.millrace.planner.rex.Constants;
import io.millrace.planner.rex.FunctionCalls;
import io.millrace.planner.sql.parser.NamedParameter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.validate.SqlValidatorScope;

/** Syntax that compares one value with several: IN with a list, and BETWEEN. */
final class ListCalls {
  private ListCalls() {}

  /** The result of comparing each pair; parameters take the type of the other side. */
  private static RelDataType comparisons(
      StatementValidator validator, SqlValidatorScope scope, SqlNode value, List<SqlNode> others) {
    boolean nullable = validator.isUntyped(value) || isNullable(validator, scope, value);
    for (SqlNode other : others) {
      if (other instanceof NamedParameter parameter && validator.isUntyped(other)) {
        DataType type = ExpressionOperator.dataType(validator, scope, value);
        validator.assign(
            parameter,
            validator.parameters().fits(parameter.name(), type)
                ? type
                : validator.parameters().naturalType(parameter.name()));
      }
      FunctionCalls.resolve(
          validator.functions(),
          "eq",
          List.of(
              ExpressionOperator.dataType(validator, scope, value),
              ExpressionOperator.dataType(validator, scope, other)),
          List.of(validator.constants().value(value), validator.constants().value(other)));
      nullable |= isNullable(validator, scope, other);
    }
    return validator.types().of(DataType.BOOLEAN, nullable);
  }

  private static boolean isNullable(
      StatementValidator validator, SqlValidatorScope scope, SqlNode node) {
    return validator.deriveType(scope, node).isNullable();
  }

  /** {@code x [NOT] IN (a, b)}; the operands are x and then the candidates. */
  static final class In extends ExpressionOperator {
    private final boolean negated;

    In(boolean negated) {
      super(negated ? "NOT IN" : "IN", SqlKind.OTHER_FUNCTION);
      this.negated = negated;
    }

    /** The call with its candidates as operands. */
    SqlCall flatten(SqlCall call) {
      List<SqlNode> operands = new ArrayList<>();
      operands.add(call.operand(0));
      operands.addAll(((SqlNodeList) call.operand(1)).getList());
      return createCall(call.getParserPosition(), operands);
    }

    @Override
    RelDataType type(StatementValidator validator, SqlValidatorScope scope, SqlCall call) {
      List<SqlNode> operands = call.getOperandList();
      return comparisons(
          validator, scope, operands.getFirst(), operands.subList(1, operands.size()));
    }

    @Override
    RexNode convert(CallConversion conversion, SqlCall call) {
      List<RexNode> operands = call.getOperandList().stream().map(conversion::operand).toList();
      List<RexNode> comparisons =
          operands.subList(1, operands.size()).stream()
              .map(
                  candidate ->
                      conversion
                          .calls()
                          .call(negated ? "ne" : "eq", operands.getFirst(), candidate))
              .toList();
      return comparisons.size() == 1
          ? comparisons.getFirst()
          : conversion.calls().call(negated ? "and" : "or", comparisons);
    }
  }

  /** {@code x [NOT] BETWEEN a AND b}; SYMMETRIC takes the bounds in either order. */
  static final class Between extends ExpressionOperator {
    private final boolean negated;
    private final boolean symmetric;

    Between(boolean negated, boolean symmetric) {
      super(negated ? "NOT BETWEEN" : "BETWEEN", SqlKind.OTHER_FUNCTION);
      this.negated = negated;
      this.symmetric = symmetric;
    }

    @Override
    RelDataType type(StatementValidator validator, SqlValidatorScope scope, SqlCall call) {
      return comparisons(
          validator, scope, call.operand(0), List.of(call.operand(1), call.operand(2)));
    }

    @Override
    RexNode convert(CallConversion conversion, SqlCall call) {
      FunctionCalls calls = conversion.calls();
      RexNode value = conversion.operand(call.operand(0));
      RexNode low = conversion.operand(call.operand(1));
      RexNode high = conversion.operand(call.operand(2));
      RexNode within = within(calls, value, low, high);
      if (symmetric) {
        within = calls.call("or", within, within(calls, value, high, low));
      }
      return negated ? calls.call("not", within) : within;
    }

    private static RexNode within(FunctionCalls calls, RexNode value, RexNode low, RexNode high) {
      return calls.call("and", calls.call("ge", value, low), calls.call("le", value, high));
    }
  }

  /** CASE; the operands are condition and value in turn, and the value otherwise. */
  static final class Case extends ExpressionOperator {
    Case() {
      super("CASE", SqlKind.OTHER_FUNCTION);
    }

    @Override
    RelDataType type(StatementValidator validator, SqlValidatorScope scope, SqlCall call) {
      List<SqlNode> operands = call.getOperandList();
      List<DataType> types = new ArrayList<>();
      List<DataType> untyped = new ArrayList<>();
      boolean nullable = false;
      for (int index = 0; index < operands.size(); index++) {
        SqlNode operand = operands.get(index);
        DataType type = dataType(validator, scope, operand);
        if (index % 2 == 0 && index + 1 < operands.size()) {
          requireTruth(type);
          continue;
        }
        types.add(type);
        boolean text = validator.constants().value(operand).orElse(null) instanceof String;
        untyped.add(text ? DataType.NULL : type);
        nullable |= isNullable(validator, scope, operand);
      }
      DataType common =
          validator
              .commonType(types)
              .or(() -> validator.commonType(untyped))
              .orElseThrow(
                  () ->
                      new MillraceException(
                          ErrorCode.TYPE_MISMATCH,
                          "The results of CASE have no common type; cast them: " + types));
      return validator.types().of(common, nullable);
    }

    private static void requireTruth(DataType type) {
      if (!(type instanceof DataType.Bool || type instanceof DataType.Null)) {
        throw new MillraceException(
            ErrorCode.TYPE_MISMATCH, "A condition of CASE is a boolean, not " + type);
      }
    }

    @Override
    RexNode convert(CallConversion conversion, SqlCall call) {
      List<RexNode> conditions = new ArrayList<>();
      List<RexNode> values = new ArrayList<>();
      List<SqlNode> operands = call.getOperandList();
      for (int index = 0; index + 1 < operands.size(); index += 2) {
        conditions.add(conversion.operand(operands.get(index)));
        values.add(conversion.operand(operands.get(index + 1)));
      }
      return conversion
          .calls()
          .caseWhen(conditions, values, conversion.operand(operands.getLast()));
    }
  }

  /** A list of values of their common type; an empty one is a list of nulls. */
  static final class ArrayOf extends ExpressionOperator {
    private final RegistryCall call;

    ArrayOf(FunctionDefinition definition) {
      super("ARRAY", SqlKind.OTHER_FUNCTION);
      this.call = RegistryCall.of(definition);
    }

    @Override
    RelDataType type(StatementValidator validator, SqlValidatorScope scope, SqlCall written) {
      return written.operandCount() == 0
          ? validator.types().of(DataType.list(DataType.NULL), false)
          : call.type(validator, scope, written);
    }

    @Override
    RexNode convert(CallConversion conversion, SqlCall written) {
      return written.operandCount() == 0
          ? Constants.of(conversion.builder(), List.of(), DataType.list(DataType.NULL))
          : call.convert(conversion, written);
    }
  }

  /** A constant without operands, such as an interval. */
  static final class Constant extends ExpressionOperator {
    private final transient Object value;
    private final transient DataType type;

    Constant(Object value, DataType type) {
      super(value.toString(), SqlKind.OTHER_FUNCTION);
      this.value = value;
      this.type = type;
    }

    Optional<Object> value() {
      return Optional.of(value);
    }

    @Override
    RelDataType type(StatementValidator validator, SqlValidatorScope scope, SqlCall call) {
      return validator.types().of(type, false);
    }

    @Override
    RexNode convert(CallConversion conversion, SqlCall call) {
      return Constants.of(conversion.builder(), value, type);
    }
  }
}
