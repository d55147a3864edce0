package io.millrace.planner.sql;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.function.FunctionDefinition;
import io.millrace.core.function.FunctionKind;
import io.millrace.planner.logical.WindowOperator;
import io.millrace.planner.sql.parser.SqlError;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;

/**
 * Puts our operator in the place of the function before OVER. A filter becomes the last operand and
 * the treatment of nulls a part of the operator, so that Calcite sees a plain call.
 */
final class WindowSyntax {
  private WindowSyntax() {}

  /** The OVER call itself, its function replaced; what is unknown stays for the validator. */
  static SqlNode rewrite(SqlBasicCall over, Catalog catalog) {
    SqlNode function = over.operand(0);
    SqlNode filter = null;
    boolean ignoresNulls = false;
    while (function instanceof SqlCall wrapper && isWrapper(wrapper)) {
      if (wrapper.getKind() == SqlKind.FILTER) {
        filter = wrapper.operand(1);
      } else {
        ignoresNulls = wrapper.getKind() == SqlKind.IGNORE_NULLS;
      }
      function = wrapper.operand(0);
    }
    if (!(function instanceof SqlBasicCall call) || call.getOperator() instanceof WindowOperator) {
      return over;
    }
    Optional<FunctionDefinition> definition =
        catalog.functions().find(call.getOperator().getName());
    if (definition.isEmpty() || definition.get().kind() == FunctionKind.SCALAR) {
      return over;
    }
    require(definition.get(), call, filter, ignoresNulls);
    over.setOperand(0, replaced(definition.get(), call, filter, ignoresNulls));
    return over;
  }

  private static boolean isWrapper(SqlCall call) {
    return call.getKind() == SqlKind.FILTER
        || call.getKind() == SqlKind.IGNORE_NULLS
        || call.getKind() == SqlKind.RESPECT_NULLS;
  }

  private static void require(
      FunctionDefinition definition, SqlCall call, SqlNode filter, boolean ignoresNulls) {
    boolean aggregate = definition.kind() == FunctionKind.AGGREGATE;
    boolean distinct = call.getFunctionQuantifier() != null;
    if (!aggregate && (distinct || filter != null) || aggregate && ignoresNulls) {
      throw SqlError.at(
          ErrorCode.INVALID_ARGUMENT,
          call.getParserPosition(),
          "DISTINCT and FILTER stand in aggregates, IGNORE NULLS in other window functions: "
              + definition.name());
    }
  }

  private static SqlNode replaced(
      FunctionDefinition definition, SqlCall call, SqlNode filter, boolean ignoresNulls) {
    SqlCall arranged = NamedOperands.arrange(definition, call);
    List<SqlNode> operands = new ArrayList<>();
    for (SqlNode operand : arranged.getOperandList()) {
      boolean star = operand instanceof SqlIdentifier name && name.isStar();
      if (!star) {
        operands.add(operand);
      }
    }
    if (filter != null) {
      operands.add(filter);
    }
    SqlLiteral quantifier = call.getFunctionQuantifier();
    return new SqlBasicCall(
        new WindowOperator(definition, filter != null, ignoresNulls),
        operands,
        call.getParserPosition(),
        quantifier);
  }
}
