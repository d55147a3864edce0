package io.millrace.planner.logical;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;

/**
 * Which of Calcite's own operators stand for which registered functions. Operators that are not
 * listed carry the function's name themselves.
 */
public final class OperatorNames {
  private static final Map<String, SqlOperator> BY_FUNCTION =
      Map.ofEntries(
          Map.entry("eq", SqlStdOperatorTable.EQUALS),
          Map.entry("ne", SqlStdOperatorTable.NOT_EQUALS),
          Map.entry("lt", SqlStdOperatorTable.LESS_THAN),
          Map.entry("le", SqlStdOperatorTable.LESS_THAN_OR_EQUAL),
          Map.entry("gt", SqlStdOperatorTable.GREATER_THAN),
          Map.entry("ge", SqlStdOperatorTable.GREATER_THAN_OR_EQUAL),
          Map.entry("is_distinct_from", SqlStdOperatorTable.IS_DISTINCT_FROM),
          Map.entry("is_not_distinct_from", SqlStdOperatorTable.IS_NOT_DISTINCT_FROM),
          Map.entry("not", SqlStdOperatorTable.NOT),
          Map.entry("and", SqlStdOperatorTable.AND),
          Map.entry("or", SqlStdOperatorTable.OR),
          Map.entry("is_null", SqlStdOperatorTable.IS_NULL),
          Map.entry("is_not_null", SqlStdOperatorTable.IS_NOT_NULL),
          Map.entry("is_true", SqlStdOperatorTable.IS_TRUE),
          Map.entry("is_not_true", SqlStdOperatorTable.IS_NOT_TRUE),
          Map.entry("is_false", SqlStdOperatorTable.IS_FALSE),
          Map.entry("is_not_false", SqlStdOperatorTable.IS_NOT_FALSE),
          Map.entry("coalesce", SqlStdOperatorTable.COALESCE));

  private static final Map<SqlOperator, String> BY_OPERATOR = inverted();

  private OperatorNames() {}

  private static Map<SqlOperator, String> inverted() {
    Map<SqlOperator, String> names = new HashMap<>();
    BY_FUNCTION.forEach((name, operator) -> names.put(operator, name));
    names.put(SqlStdOperatorTable.IS_UNKNOWN, "is_null");
    names.put(SqlStdOperatorTable.IS_NOT_UNKNOWN, "is_not_null");
    // subquery removal and decorrelation add in this way
    names.put(SqlStdOperatorTable.PLUS, "add");
    names.put(SqlStdOperatorTable.MINUS, "subtract");
    names.put(SqlStdOperatorTable.MULTIPLY, "multiply");
    names.put(SqlStdOperatorTable.DIVIDE, "divide");
    return Map.copyOf(names);
  }

  /** The registered name (or an alias of it) that the operator stands for. */
  public static String function(SqlOperator operator) {
    String known = BY_OPERATOR.get(operator);
    return known == null ? operator.getName().toLowerCase(Locale.ROOT) : known;
  }
}
