package io.millrace.planner.sql;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.type.DataType;
import io.millrace.planner.sql.parser.NamedParameter;
import io.millrace.planner.sql.parser.SqlError;
import io.millrace.planner.type.MillraceTypeFactory;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorScope;

/**
 * An operator of the syntax tree with our rules for types and conversion. The validator puts these
 * in the place of Calcite's before it looks at types.
 */
abstract class ExpressionOperator extends SqlFunction {
  ExpressionOperator(String name, SqlKind kind) {
    super(name, kind, null, null, null, SqlFunctionCategory.USER_DEFINED_FUNCTION);
  }

  /** The type of the call; sets the types of parameters among its operands. */
  abstract RelDataType type(StatementValidator validator, SqlValidatorScope scope, SqlCall call);

  /** The call over its converted operands. */
  abstract RexNode convert(CallConversion conversion, SqlCall call);

  @Override
  public final RelDataType deriveType(
      SqlValidator validator, SqlValidatorScope scope, SqlCall call) {
    try {
      return type((StatementValidator) validator, scope, call);
    } catch (MillraceException failure) {
      throw located(failure, call);
    }
  }

  /** The error with the call's place, unless it has one. */
  static MillraceException located(MillraceException failure, SqlNode node) {
    boolean user =
        failure.code() == ErrorCode.TYPE_MISMATCH
            || failure.code() == ErrorCode.INVALID_ARGUMENT
            || failure.code() == ErrorCode.UNKNOWN_OPTION
            || failure.code() == ErrorCode.DUPLICATE_NAME;
    return !user || failure.getMessage().contains("(line ")
        ? failure
        : SqlError.at(failure.code(), node.getParserPosition(), failure.getMessage(), failure);
  }

  /** The operands that are expressions, in no particular order. */
  List<SqlNode> expressions(SqlCall call) {
    return call.getOperandList();
  }

  @Override
  public void validateCall(
      SqlCall call,
      SqlValidator validator,
      SqlValidatorScope scope,
      SqlValidatorScope operandScope) {
    for (SqlNode operand : expressions(call)) {
      // a parameter has no type before the call has looked at its other operands
      if (!(operand instanceof NamedParameter)) {
        operand.validateExpr(validator, operandScope);
      }
    }
  }

  /** The DataType of an operand; NULL for a parameter whose type is not yet known. */
  static DataType dataType(StatementValidator validator, SqlValidatorScope scope, SqlNode operand) {
    return MillraceTypeFactory.dataType(validator.deriveType(scope, operand));
  }
}
