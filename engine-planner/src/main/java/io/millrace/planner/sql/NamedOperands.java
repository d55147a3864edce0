package io.millrace.planner.sql;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.function.FunctionDefinition;
import io.millrace.core.function.Parameter;
import io.millrace.planner.rex.NamedArguments;
import io.millrace.planner.sql.parser.SqlError;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParserPos;

/** Puts {@code name => value} arguments of a call into their places. */
final class NamedOperands {
  private NamedOperands() {}

  static SqlCall arrange(FunctionDefinition definition, SqlCall call) {
    Map<String, SqlNode> named = new LinkedHashMap<>();
    List<Object> positional = new ArrayList<>();
    for (SqlNode operand : call.getOperandList()) {
      if (operand.getKind() == SqlKind.ARGUMENT_ASSIGNMENT) {
        SqlCall assignment = (SqlCall) operand;
        named.put(((SqlIdentifier) assignment.operand(1)).getSimple(), assignment.operand(0));
      } else if (named.isEmpty()) {
        positional.add(operand);
      } else {
        throw SqlError.at(
            ErrorCode.INVALID_ARGUMENT,
            operand.getParserPosition(),
            "Arguments without a name stand before those with one: " + definition.name());
      }
    }
    if (named.isEmpty()) {
      return call;
    }
    try {
      List<SqlNode> operands =
          NamedArguments.arrange(definition, positional, named).stream()
              .map(value -> value instanceof SqlNode node ? node : literal(value, call))
              .toList();
      return call.getOperator().createCall(call.getParserPosition(), operands);
    } catch (MillraceException failure) {
      throw ExpressionOperator.located(failure, call);
    }
  }

  private static SqlNode literal(Object value, SqlCall call) {
    SqlParserPos position = call.getParserPosition();
    if (value.equals(Parameter.NULL)) {
      return SqlLiteral.createNull(position);
    }
    return switch (value) {
      case String text -> SqlLiteral.createCharString(text, position);
      case Boolean truth -> SqlLiteral.createBoolean(truth, position);
      case Double number -> SqlLiteral.createApproxNumeric(number.toString(), position);
      default -> SqlLiteral.createExactNumeric(value.toString(), position);
    };
  }
}
