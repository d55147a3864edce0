package io.millrace.planner.sql;

import io.millrace.core.error.ErrorCode;
import io.millrace.planner.sql.parser.SqlError;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * Comparisons of rows, {@code (a, b) < (1, 2)}, as comparisons of their values, first ones first.
 */
final class RowComparisons {
  private RowComparisons() {}

  static boolean isRowComparison(SqlBasicCall call) {
    return call.operandCount() == 2
        && switch (call.getKind()) {
          case EQUALS,
              NOT_EQUALS,
              LESS_THAN,
              LESS_THAN_OR_EQUAL,
              GREATER_THAN,
              GREATER_THAN_OR_EQUAL ->
              call.operand(0).getKind() == SqlKind.ROW && call.operand(1).getKind() == SqlKind.ROW;
          default -> false;
        };
  }

  /** The comparison without rows. */
  static SqlBasicCall expand(SqlBasicCall call) {
    List<SqlNode> left = ((SqlCall) call.operand(0)).getOperandList();
    List<SqlNode> right = ((SqlCall) call.operand(1)).getOperandList();
    SqlParserPos position = call.getParserPosition();
    if (left.size() != right.size()) {
      throw SqlError.at(
          ErrorCode.TYPE_MISMATCH,
          position,
          "Rows that are compared have the same number of values: "
              + left.size()
              + " and "
              + right.size());
    }
    List<SqlNode> parts = new ArrayList<>();
    if (call.getKind() == SqlKind.EQUALS || call.getKind() == SqlKind.NOT_EQUALS) {
      for (int index = 0; index < left.size(); index++) {
        parts.add(call.getOperator().createCall(position, left.get(index), right.get(index)));
      }
      return joined(parts, call.getKind() == SqlKind.EQUALS, position);
    }
    SqlOperator strict =
        call.getKind() == SqlKind.LESS_THAN || call.getKind() == SqlKind.LESS_THAN_OR_EQUAL
            ? SqlStdOperatorTable.LESS_THAN
            : SqlStdOperatorTable.GREATER_THAN;
    for (int index = 0; index < left.size(); index++) {
      List<SqlNode> all = new ArrayList<>();
      for (int before = 0; before < index; before++) {
        all.add(
            SqlStdOperatorTable.EQUALS.createCall(position, left.get(before), right.get(before)));
      }
      boolean last = index == left.size() - 1;
      all.add(
          (last ? call.getOperator() : strict)
              .createCall(position, left.get(index), right.get(index)));
      parts.add(joined(all, true, position));
    }
    return joined(parts, false, position);
  }

  private static SqlBasicCall joined(List<SqlNode> parts, boolean all, SqlParserPos position) {
    SqlOperator operator = all ? SqlStdOperatorTable.AND : SqlStdOperatorTable.OR;
    SqlNode joined = parts.getFirst();
    for (SqlNode part : parts.subList(1, parts.size())) {
      joined = operator.createCall(position, joined, part);
    }
    return (SqlBasicCall) joined;
  }
}
