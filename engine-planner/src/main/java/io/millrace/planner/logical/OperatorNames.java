package io.millrace.planner.logical;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
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
          Map.entry("coalesce", SqlStdOperatorTable.COALESCE),
          Map.entry("add", SqlStdOperatorTable.PLUS),
          Map.entry("subtract", SqlStdOperatorTable.MINUS),
          Map.entry("multiply", SqlStdOperatorTable.MULTIPLY),
          Map.entry("divide", SqlStdOperatorTable.DIVIDE),
          Map.entry("mod", SqlStdOperatorTable.MOD),
          Map.entry("negate", SqlStdOperatorTable.UNARY_MINUS),
          Map.entry("like", SqlStdOperatorTable.LIKE));

  private static final Map<SqlOperator, String> BY_OPERATOR = inverted();

  private OperatorNames() {}

  private static Map<SqlOperator, String> inverted() {
    Map<SqlOperator, String> names = new HashMap<>();
    BY_FUNCTION.forEach((name, operator) -> names.put(operator, name));
    names.put(SqlStdOperatorTable.PERCENT_REMAINDER, "mod");
    names.put(SqlStdOperatorTable.DATETIME_PLUS, "add");
    names.put(SqlStdOperatorTable.MINUS_DATE, "subtract");
    names.put(SqlStdOperatorTable.IS_UNKNOWN, "is_null");
    names.put(SqlStdOperatorTable.IS_NOT_UNKNOWN, "is_not_null");
    names.put(SqlStdOperatorTable.SUM0, "sum0");
    return Map.copyOf(names);
  }

  /** Calcite's operator for the function; empty when it has none of its own. */
  public static Optional<SqlOperator> operator(String function) {
    return Optional.ofNullable(BY_FUNCTION.get(function));
  }

  /** The registered name (or an alias of it) that the operator stands for. */
  public static String function(SqlOperator operator) {
    String known = BY_OPERATOR.get(operator);
    return known == null ? operator.getName().toLowerCase(Locale.ROOT) : known;
  }
}
