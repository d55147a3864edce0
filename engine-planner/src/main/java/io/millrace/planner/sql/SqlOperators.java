package io.millrace.planner.sql;

import io.millrace.core.function.FunctionDefinition;
import io.millrace.core.function.FunctionKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlOperatorTable;
import org.apache.calcite.sql.SqlSyntax;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.validate.SqlNameMatcher;

/**
 * The functions that Calcite itself looks up by name: aggregates. Scalar and window functions are
 * put in place by {@link SyntaxRewriter}. Calcite's own table is not used: filling it takes longer
 * than planning a small query.
 */
final class SqlOperators implements SqlOperatorTable {
  private static final Map<String, SqlOperator> OWN =
      Map.ofEntries(
          // for the common columns of USING
          Map.entry("coalesce", SqlStdOperatorTable.COALESCE),
          Map.entry("grouping", SqlStdOperatorTable.GROUPING),
          Map.entry("grouping_id", SqlStdOperatorTable.GROUPING_ID));

  /** Operators that Calcite looks up after it has put them into the tree itself. */
  private static final List<SqlOperator> SYNTAX =
      List.of(
          SqlStdOperatorTable.UNION,
          SqlStdOperatorTable.UNION_ALL,
          SqlStdOperatorTable.INTERSECT,
          SqlStdOperatorTable.INTERSECT_ALL,
          SqlStdOperatorTable.EXCEPT,
          SqlStdOperatorTable.EXCEPT_ALL,
          SqlStdOperatorTable.EXISTS,
          SqlStdOperatorTable.DESC,
          SqlStdOperatorTable.NULLS_FIRST,
          SqlStdOperatorTable.NULLS_LAST,
          SqlStdOperatorTable.IN,
          SqlStdOperatorTable.NOT_IN,
          SqlStdOperatorTable.SOME_EQ,
          SqlStdOperatorTable.SOME_NE,
          SqlStdOperatorTable.SOME_LT,
          SqlStdOperatorTable.SOME_LE,
          SqlStdOperatorTable.SOME_GT,
          SqlStdOperatorTable.SOME_GE,
          SqlStdOperatorTable.ALL_EQ,
          SqlStdOperatorTable.ALL_NE,
          SqlStdOperatorTable.ALL_LT,
          SqlStdOperatorTable.ALL_LE,
          SqlStdOperatorTable.ALL_GT,
          SqlStdOperatorTable.ALL_GE,
          SqlStdOperatorTable.ROW,
          SqlStdOperatorTable.DOT,
          SqlStdOperatorTable.SCALAR_QUERY,
          SqlStdOperatorTable.AND,
          SqlStdOperatorTable.OR,
          SqlStdOperatorTable.NOT,
          SqlStdOperatorTable.EQUALS,
          SqlStdOperatorTable.NOT_EQUALS,
          SqlStdOperatorTable.IS_NULL,
          SqlStdOperatorTable.IS_NOT_NULL,
          SqlStdOperatorTable.IS_TRUE,
          SqlStdOperatorTable.IS_FALSE);

  private final Catalog catalog;

  SqlOperators(Catalog catalog) {
    this.catalog = catalog;
  }

  /** The names that {@link SyntaxRewriter} leaves to Calcite. */
  static List<String> ownFunctionNames() {
    return List.copyOf(OWN.keySet());
  }

  @Override
  public void lookupOperatorOverloads(
      SqlIdentifier operatorName,
      SqlFunctionCategory category,
      SqlSyntax syntax,
      List<SqlOperator> operators,
      SqlNameMatcher matcher) {
    if (!operatorName.isSimple()) {
      return;
    }
    if (syntax != SqlSyntax.FUNCTION) {
      SYNTAX.stream()
          .filter(
              operator ->
                  operator.getSyntax() == syntax
                      && operator.getName().equalsIgnoreCase(operatorName.getSimple()))
          .forEach(operators::add);
      return;
    }
    String name = operatorName.getSimple().toLowerCase(Locale.ROOT);
    SqlOperator own = OWN.get(name);
    if (own != null) {
      operators.add(own);
      return;
    }
    catalog
        .functions()
        .find(name)
        .filter(definition -> definition.kind() == FunctionKind.AGGREGATE)
        .map(AggregateCallOperator::of)
        .ifPresent(operators::add);
  }

  @Override
  public List<SqlOperator> getOperatorList() {
    List<SqlOperator> operators = new ArrayList<>(OWN.values());
    for (FunctionDefinition definition : catalog.functions().definitions()) {
      if (definition.kind() == FunctionKind.AGGREGATE) {
        operators.add(AggregateCallOperator.of(definition));
      }
    }
    return operators;
  }
}
