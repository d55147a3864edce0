package io.millrace.planner.sql;

import io.millrace.core.type.DataType;
import io.millrace.planner.sql.parser.NamedParameter;
import io.millrace.planner.sql.parser.TypeNameSpec;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.validate.SqlValidatorScope;

/** CAST, TRY_CAST and {@code ::}. */
final class CastCall extends ExpressionOperator {
  private final boolean safe;

  CastCall(boolean safe) {
    super(safe ? "TRY_CAST" : "CAST", safe ? SqlKind.SAFE_CAST : SqlKind.CAST);
    this.safe = safe;
  }

  private static DataType target(SqlCall call) {
    return TypeNameSpec.dataType(((SqlDataTypeSpec) call.operand(1)).getTypeNameSpec());
  }

  @Override
  List<SqlNode> expressions(SqlCall call) {
    return List.of(call.operand(0));
  }

  @Override
  RelDataType type(StatementValidator validator, SqlValidatorScope scope, SqlCall call) {
    SqlNode value = call.operand(0);
    DataType target = target(call);
    if (value instanceof NamedParameter parameter
        && validator.isUntyped(parameter)
        && validator.parameters().fits(parameter.name(), target)) {
      validator.assign(parameter, target);
    }
    boolean nullable = validator.deriveType(scope, value).isNullable();
    return validator.types().of(target, safe || nullable);
  }

  @Override
  RexNode convert(CallConversion conversion, SqlCall call) {
    return conversion.calls().cast(conversion.operand(call.operand(0)), target(call), safe);
  }
}
