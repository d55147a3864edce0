package io.millrace.planner.sql;

import io.millrace.core.error.MillraceException;
import io.millrace.planner.rex.FunctionCalls;
import io.millrace.planner.type.MillraceTypeFactory;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql2rel.SqlRexContext;
import org.apache.calcite.sql2rel.SqlRexConvertlet;
import org.apache.calcite.sql2rel.SqlRexConvertletTable;
import org.apache.calcite.sql2rel.StandardConvertletTable;

/** Converts calls of our operators by themselves and the rest as Calcite does. */
final class Convertlets implements SqlRexConvertletTable {
  private final StatementValidator validator;

  Convertlets(StatementValidator validator) {
    this.validator = validator;
  }

  @Override
  public SqlRexConvertlet get(SqlCall call) {
    return call.getOperator() instanceof ExpressionOperator operator
        ? (context, written) -> convert(operator, context, written)
        : StandardConvertletTable.INSTANCE.get(call);
  }

  private RexNode convert(ExpressionOperator operator, SqlRexContext context, SqlCall call) {
    FunctionCalls calls = new FunctionCalls(context.getRexBuilder(), validator.functions());
    RexNode converted;
    try {
      converted = operator.convert(new CallConversion(context, validator, calls), call);
    } catch (MillraceException failure) {
      throw ExpressionOperator.located(failure, call);
    }
    RelDataType validated = validator.getValidatedNodeTypeIfKnown(call);
    return validated == null ? converted : withValidatedNullability(converted, validated);
  }

  /** Calcite demands that conversion changes no type, not even whether it may be null. */
  private static RexNode withValidatedNullability(RexNode converted, RelDataType validated) {
    boolean sameButForNull =
        converted instanceof RexCall
            && validated.isNullable() != converted.getType().isNullable()
            && MillraceTypeFactory.dataType(validated)
                .equals(MillraceTypeFactory.dataType(converted.getType()));
    return sameButForNull
        ? ((RexCall) converted).clone(validated, ((RexCall) converted).getOperands())
        : converted;
  }
}
