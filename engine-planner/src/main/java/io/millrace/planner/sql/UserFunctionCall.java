package io.millrace.planner.sql;

import io.millrace.core.udf.UserFunction;
import io.millrace.planner.sql.parser.NamedParameter;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.validate.SqlValidatorScope;

/** A call of a user-defined function. */
final class UserFunctionCall extends ExpressionOperator {
  private final transient UserFunction function;

  UserFunctionCall(UserFunction function) {
    super(function.name(), SqlKind.OTHER_FUNCTION);
    this.function = function;
  }

  @Override
  RelDataType type(StatementValidator validator, SqlValidatorScope scope, SqlCall call) {
    List<SqlNode> operands = call.getOperandList();
    for (int index = 0; index < operands.size(); index++) {
      if (validator.isUntyped(operands.get(index)) && index < function.argumentTypes().size()) {
        validator.assign((NamedParameter) operands.get(index), function.argumentTypes().get(index));
      }
      validator.deriveType(scope, operands.get(index));
    }
    return validator.types().of(function.resultType(), true);
  }

  @Override
  RexNode convert(CallConversion conversion, SqlCall call) {
    return conversion
        .calls()
        .call(function, call.getOperandList().stream().map(conversion::operand).toList());
  }
}
