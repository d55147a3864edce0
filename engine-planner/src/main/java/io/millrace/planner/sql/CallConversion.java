package io.millrace.planner.sql;

import io.millrace.core.type.DataType;
import io.millrace.planner.rex.Constants;
import io.millrace.planner.rex.FunctionCalls;
import io.millrace.planner.sql.parser.NamedParameter;
import io.millrace.planner.type.MillraceTypeFactory;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql2rel.SqlRexContext;

/** What an operator needs to convert a call. */
record CallConversion(SqlRexContext context, StatementValidator validator, FunctionCalls calls) {

  RexNode operand(SqlNode node) {
    if (node instanceof NamedParameter parameter) {
      DataType type = MillraceTypeFactory.dataType(validator.getValidatedNodeType(node));
      return Constants.of(builder(), validator.parameters().value(parameter.name(), type), type);
    }
    return context.convertExpression(node);
  }

  RexBuilder builder() {
    return context.getRexBuilder();
  }
}
