package io.millrace.planner.sql;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.function.FunctionDefinition;
import io.millrace.core.function.FunctionKind;
import io.millrace.core.type.DataType;
import io.millrace.core.udf.UserFunction;
import io.millrace.planner.logical.GroupsOffset;
import io.millrace.planner.logical.WindowOperator;
import io.millrace.planner.sql.parser.SqlError;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlIntervalLiteral;
import org.apache.calcite.sql.SqlIntervalQualifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlMatchRecognize;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlNumericLiteral;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlStarExclude;
import org.apache.calcite.sql.SqlUnnestOperator;
import org.apache.calcite.sql.SqlUnresolvedFunction;
import org.apache.calcite.sql.SqlWith;
import org.apache.calcite.sql.SqlWithItem;
import org.apache.calcite.sql.fun.SqlBetweenOperator;
import org.apache.calcite.sql.fun.SqlCase;
import org.apache.calcite.sql.fun.SqlLikeOperator;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.fun.SqlTrimFunction;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * Puts our operators in the place of Calcite's, node by node, before types are looked at. The
 * meaning of the tree stays; operands keep their places in the text.
 */
final class SyntaxRewriter {
  /** Functions behind operators whose operands are the function's arguments. */
  private static final Map<SqlKind, String> FUNCTIONS =
      Map.ofEntries(
          Map.entry(SqlKind.AND, "and"),
          Map.entry(SqlKind.OR, "or"),
          Map.entry(SqlKind.NOT, "not"),
          Map.entry(SqlKind.EQUALS, "eq"),
          Map.entry(SqlKind.NOT_EQUALS, "ne"),
          Map.entry(SqlKind.LESS_THAN, "lt"),
          Map.entry(SqlKind.LESS_THAN_OR_EQUAL, "le"),
          Map.entry(SqlKind.GREATER_THAN, "gt"),
          Map.entry(SqlKind.GREATER_THAN_OR_EQUAL, "ge"),
          Map.entry(SqlKind.IS_NULL, "is_null"),
          Map.entry(SqlKind.IS_UNKNOWN, "is_null"),
          Map.entry(SqlKind.IS_NOT_NULL, "is_not_null"),
          Map.entry(SqlKind.IS_TRUE, "is_true"),
          Map.entry(SqlKind.IS_NOT_TRUE, "is_not_true"),
          Map.entry(SqlKind.IS_FALSE, "is_false"),
          Map.entry(SqlKind.IS_NOT_FALSE, "is_not_false"),
          Map.entry(SqlKind.IS_DISTINCT_FROM, "is_distinct_from"),
          Map.entry(SqlKind.IS_NOT_DISTINCT_FROM, "is_not_distinct_from"),
          Map.entry(SqlKind.PLUS, "add"),
          Map.entry(SqlKind.TIMES, "multiply"),
          Map.entry(SqlKind.DIVIDE, "divide"),
          Map.entry(SqlKind.MOD, "mod"),
          Map.entry(SqlKind.ITEM, "element_at"),
          Map.entry(SqlKind.POSITION, "position"),
          Map.entry(SqlKind.NULLIF, "nullif"),
          Map.entry(SqlKind.COALESCE, "coalesce"));

  private final Catalog catalog;
  private final String sql;

  SyntaxRewriter(Catalog catalog, String sql) {
    this.catalog = catalog;
    this.sql = sql;
  }

  /** The node in our form; itself when it stays as it is. */
  SqlNode rewrite(SqlNode node) {
    return switch (node) {
      case SqlIntervalLiteral literal when literal.getValue() != null ->
          new ListCalls.Constant(IntervalText.read(literal), DataType.INTERVAL)
              .createCall(literal.getParserPosition());
      case SqlSelect select -> withColumnNames(select);
      case SqlWith with -> withDistinctNames(with);
      case SqlCase written -> caseCall(written);
      case SqlMatchRecognize written -> throw excluded("MATCH_RECOGNIZE", written);
      case SqlBasicCall call when !(call.getOperator() instanceof ExpressionOperator) -> call(call);
      default -> node;
    };
  }

  private static SqlNode withDistinctNames(SqlWith with) {
    Set<String> names = new HashSet<>();
    for (SqlNode item : with.withList) {
      String name = ((SqlWithItem) item).name.getSimple();
      if (!names.add(name.toLowerCase(Locale.ROOT))) {
        throw SqlError.at(
            ErrorCode.DUPLICATE_NAME,
            item.getParserPosition(),
            "Two queries of WITH have the same name: '" + name + "'");
      }
    }
    return with;
  }

  private static MillraceException excluded(String what, SqlNode written) {
    return SqlError.at(
        ErrorCode.EXCLUDED_SQL,
        written.getParserPosition(),
        "This part of SQL is left out of Millrace: " + what);
  }

  /** Names each computed column by its text, as in {@code count(*)}. */
  private SqlNode withColumnNames(SqlSelect select) {
    SqlNodeList items = select.getSelectList();
    for (int index = 0; index < items.size(); index++) {
      SqlNode item = items.get(index);
      SqlParserPos position = item.getParserPosition();
      boolean named =
          item instanceof SqlIdentifier
              || item.getKind() == SqlKind.AS
              || !(item instanceof SqlCall
                  || item instanceof SqlLiteral
                  || item instanceof SqlDynamicParam)
              || item instanceof SqlStarExclude
              || position.getLineNum() <= 0;
      if (!named) {
        String name = SourceText.at(sql, position).strip().replaceAll("\\s+", " ");
        items.set(
            index,
            SqlStdOperatorTable.AS.createCall(position, item, new SqlIdentifier(name, position)));
      }
    }
    return select;
  }

  /** A chain of ANDs or ORs as one call, so that long ones are not deep. */
  private static SqlBasicCall flat(SqlBasicCall call) {
    SqlKind kind = call.getKind();
    Deque<SqlNode> open = new ArrayDeque<>(call.getOperandList());
    List<SqlNode> operands = new ArrayList<>();
    while (!open.isEmpty()) {
      SqlNode next = open.pop();
      if (next instanceof SqlBasicCall nested && nested.getKind() == kind) {
        for (SqlNode operand : nested.getOperandList().reversed()) {
          open.push(operand);
        }
      } else {
        operands.add(next);
      }
    }
    return operands.size() == call.operandCount()
        ? call
        : new SqlBasicCall(call.getOperator(), operands, call.getParserPosition());
  }

  private SqlNode call(SqlBasicCall written) {
    if (written.getKind() == SqlKind.MEASURE) {
      throw excluded("AS MEASURE", written);
    }
    if (RowComparisons.isRowComparison(written)) {
      return call(RowComparisons.expand(written));
    }
    SqlBasicCall call =
        written.getKind() == SqlKind.AND || written.getKind() == SqlKind.OR
            ? flat(written)
            : written;
    SqlOperator operator = call.getOperator();
    String simple = FUNCTIONS.get(call.getKind());
    if (simple != null) {
      return replace(call, simple, SqlCall::getOperandList, false);
    }
    return switch (call.getKind()) {
      case MINUS ->
          call.operandCount() == 2
              ? replace(call, "subtract", SqlCall::getOperandList, false)
              : call;
      case MINUS_PREFIX -> negated(call);
      case PLUS_PREFIX -> call.operand(0);
      case LIKE ->
          operator instanceof SqlLikeOperator like && like.getName().endsWith("LIKE")
              ? like(call, like)
              : call;
      case IN, NOT_IN -> inList(call);
      case BETWEEN -> {
        SqlBetweenOperator between = (SqlBetweenOperator) operator;
        call.setOperator(
            new ListCalls.Between(
                between.isNegated(), between.flag == SqlBetweenOperator.Flag.SYMMETRIC));
        yield call;
      }
      case CAST -> withOperator(call, new CastCall(false));
      case SAFE_CAST -> withOperator(call, new CastCall(true));
      case ARRAY_VALUE_CONSTRUCTOR ->
          withOperator(call, new ListCalls.ArrayOf(catalog.functions().require("array")));
      case EXTRACT -> extract(call);
      case FLOOR, CEIL ->
          call.operandCount() == 1
              ? replace(
                  call, operator.getName().toLowerCase(Locale.ROOT), SqlCall::getOperandList, false)
              : call;
      case TRIM -> trim(call);
      case INTERVAL -> interval(call);
      case WITHIN_GROUP -> OrderedAggregates.withinGroup(call, catalog);
      case OVER -> WindowSyntax.rewrite(call, catalog);
      case UNNEST ->
          operator instanceof SqlUnnestOperator unnest && !(operator instanceof UnnestCall)
              ? withOperator(call, new UnnestCall(unnest.withOrdinality))
              : call;
      default ->
          operator instanceof SqlFunction || operator.getName().equals("||")
              ? named(call, operator)
              : call;
    };
  }

  private static SqlNode withOperator(SqlBasicCall call, SqlOperator operator) {
    call.setOperator(operator);
    return call;
  }

  private SqlNode replace(
      SqlBasicCall call,
      String function,
      Function<SqlCall, List<SqlNode>> arguments,
      boolean negated) {
    Optional<FunctionDefinition> definition = catalog.functions().find(function);
    definition.ifPresent(
        found -> {
          SqlOperator operator = call.getOperator();
          // the kind is kept where Calcite's conversion looks at it
          SqlKind kind =
              call.getKind() == SqlKind.AND
                      || call.getKind() == SqlKind.OR
                      || call.getKind() == SqlKind.NOT
                  ? call.getKind()
                  : SqlKind.OTHER_FUNCTION;
          call.setOperator(new RegistryCall(operator.getName(), kind, found, arguments, negated));
        });
    return call;
  }

  /** A minus before a number belongs to the number, so that the least integers can be written. */
  private SqlNode negated(SqlBasicCall call) {
    return call.operand(0) instanceof SqlNumericLiteral number
        ? SqlLiteral.createNegative(number, call.getParserPosition())
        : replace(call, "negate", SqlCall::getOperandList, false);
  }

  private SqlNode like(SqlBasicCall call, SqlLikeOperator like) {
    if (like.isCaseSensitive()) {
      return replace(call, "like", SqlCall::getOperandList, like.isNegated());
    }
    if (catalog.functions().find("ilike").isPresent()) {
      return replace(call, "ilike", SqlCall::getOperandList, like.isNegated());
    }
    RegistryCall lower = RegistryCall.of(catalog.functions().require("lower"));
    for (int index = 0; index < 2; index++) {
      SqlNode operand = call.operand(index);
      call.setOperand(index, lower.createCall(operand.getParserPosition(), operand));
    }
    return replace(call, "like", SqlCall::getOperandList, like.isNegated());
  }

  private static SqlNode inList(SqlBasicCall call) {
    if (!(call.operand(1) instanceof SqlNodeList list)) {
      return withOperator(call, new QueryMembership(call.getKind()));
    }
    if (list.isEmpty() || call.operand(0).getKind() == SqlKind.ROW) {
      return call;
    }
    return new ListCalls.In(call.getKind() == SqlKind.NOT_IN).flatten(call);
  }

  private SqlNode caseCall(SqlCase written) {
    List<SqlNode> operands = new ArrayList<>();
    SqlNodeList conditions = written.getWhenOperands();
    for (int index = 0; index < conditions.size(); index++) {
      operands.add(conditions.get(index));
      operands.add(written.getThenOperands().get(index));
    }
    operands.add(written.getElseOperand());
    return new ListCalls.Case().createCall(written.getParserPosition(), operands);
  }

  private SqlNode extract(SqlBasicCall call) {
    SqlIntervalQualifier unit = call.operand(0);
    String name =
        unit.timeFrameName != null ? unit.timeFrameName : String.valueOf(unit.timeUnitRange);
    String function = name.equalsIgnoreCase("dow") ? "weekday" : name;
    return catalog.functions().find(function).isPresent()
        ? replace(call, function, written -> List.of(written.operand(1)), false)
        : call;
  }

  private SqlNode trim(SqlBasicCall call) {
    String function =
        switch (((SqlLiteral) call.operand(0)).getValueAs(SqlTrimFunction.Flag.class)) {
          case BOTH -> "trim";
          case LEADING -> "ltrim";
          case TRAILING -> "rtrim";
        };
    return replace(
        call,
        function,
        written ->
            isBlank(written.operand(1))
                ? List.of(written.operand(2))
                : List.of(written.operand(2), written.operand(1)),
        false);
  }

  private static SqlNode interval(SqlBasicCall call) {
    return call.operand(0) instanceof SqlNumericLiteral number
        ? new ListCalls.Constant(IntervalText.read(number, call.operand(1)), DataType.INTERVAL)
            .createCall(call.getParserPosition())
        : call;
  }

  private static boolean isBlank(SqlNode characters) {
    return characters instanceof SqlLiteral literal && " ".equals(literal.toValue());
  }

  /** A call by name: a user's function first, then ours; what neither knows stays unresolved. */
  private SqlNode named(SqlBasicCall call, SqlOperator operator) {
    if (operator instanceof WindowOperator) {
      return call;
    }
    if (operator instanceof GroupsOffset) {
      return withOperator(call, new GroupsCount());
    }
    String name = operator.getName().equals("||") ? "concat" : operator.getName();
    Optional<UserFunction> user = catalog.userFunction(name);
    if (user.isPresent()) {
      return withOperator(call, new UserFunctionCall(user.get()));
    }
    Optional<FunctionDefinition> definition = catalog.functions().find(name);
    if (definition.isEmpty()) {
      if (call.getKind() == SqlKind.OTHER_FUNCTION
          && !(operator instanceof SqlUnresolvedFunction)) {
        throw StatementValidator.unknownFunction(catalog, call);
      }
      return call;
    }
    if (definition.get().kind() == FunctionKind.WINDOW) {
      throw SqlError.at(
          ErrorCode.INVALID_ARGUMENT,
          call.getParserPosition(),
          "A window function takes an OVER: " + name);
    }
    SqlCall arranged = NamedOperands.arrange(definition.get(), call);
    if (definition.get().kind() == FunctionKind.AGGREGATE) {
      return OrderedAggregates.orderedInside(
          (SqlBasicCall) arranged, AggregateCallOperator.of(definition.get()));
    }
    if (call.getFunctionQuantifier() != null) {
      throw SqlError.at(
          ErrorCode.INVALID_ARGUMENT,
          call.getParserPosition(),
          "DISTINCT stands in aggregate functions only: " + name);
    }
    return withOperator((SqlBasicCall) arranged, RegistryCall.of(definition.get()));
  }
}
