package io.millrace.planner.sql;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.function.FunctionDefinition;
import io.millrace.core.function.FunctionKind;
import io.millrace.planner.sql.parser.SqlError;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.sql.SqlAggFunction;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;

/** ORDER BY in aggregates: inside of the call, or behind it in WITHIN GROUP. */
final class OrderedAggregates {
  private OrderedAggregates() {}

  /** An aggregate call whose last operand may be the list of an ORDER BY. */
  static SqlNode orderedInside(SqlBasicCall call, SqlAggFunction operator) {
    List<SqlNode> operands = call.getOperandList();
    boolean ordered = !operands.isEmpty() && operands.getLast() instanceof SqlNodeList;
    if (!ordered) {
      call.setOperator(operator);
      return call;
    }
    SqlParserPos position = call.getParserPosition();
    SqlCall plain =
        new SqlBasicCall(
            operator,
            operands.subList(0, operands.size() - 1),
            position,
            call.getFunctionQuantifier());
    return SqlStdOperatorTable.WITHIN_GROUP.createCall(position, plain, operands.getLast());
  }

  /** {@code percentile_cont(f) WITHIN GROUP (ORDER BY x)} is a function of x and f. */
  static SqlNode withinGroup(SqlBasicCall call, Catalog catalog) {
    if (!(call.operand(0) instanceof SqlBasicCall inner
        && call.operand(1) instanceof SqlNodeList keys)) {
      return call;
    }
    Optional<FunctionDefinition> aggregate =
        catalog
            .functions()
            .find(inner.getOperator().getName())
            .filter(definition -> definition.kind() == FunctionKind.AGGREGATE);
    if (aggregate.isEmpty()) {
      return call;
    }
    if (inner.operandCount() != 1 || !aggregate.get().name().startsWith("percentile_")) {
      inner.setOperator(AggregateCallOperator.of(aggregate.get()));
      return call;
    }
    if (keys.size() != 1) {
      throw SqlError.at(
          ErrorCode.INVALID_ARGUMENT,
          call.getParserPosition(),
          "A percentile is taken over one value: " + keys.size());
    }
    SqlNode value = keys.get(0);
    SqlNode fraction = inner.operand(0);
    while (value.getKind() == SqlKind.DESCENDING
        || value.getKind() == SqlKind.NULLS_FIRST
        || value.getKind() == SqlKind.NULLS_LAST) {
      if (value.getKind() == SqlKind.DESCENDING) {
        fraction = descending(fraction, catalog);
      }
      value = ((SqlCall) value).operand(0);
    }
    List<SqlNode> operands = new ArrayList<>(List.of(value, fraction));
    return new SqlBasicCall(
        AggregateCallOperator.of(aggregate.get()), operands, call.getParserPosition());
  }

  /** The kernel reads −1 − f as f in descending order. */
  private static SqlNode descending(SqlNode fraction, Catalog catalog) {
    SqlParserPos position = fraction.getParserPosition();
    SqlNode minusOne = SqlLiteral.createExactNumeric(BigDecimal.ONE.negate().toString(), position);
    return RegistryCall.of(catalog.functions().require("subtract"))
        .createCall(position, minusOne, fraction);
  }
}
