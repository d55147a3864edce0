package io.millrace.planner.rex;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.function.FunctionDefinition;
import io.millrace.core.function.FunctionKind;
import io.millrace.core.function.FunctionRegistry;
import io.millrace.core.function.Parameter;
import io.millrace.core.function.ResolvedFunction;
import io.millrace.core.type.DataType;
import io.millrace.core.type.TypeCoercion;
import io.millrace.core.udf.UserFunction;
import io.millrace.planner.type.MillraceTypeFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;

/**
 * Builds calls: finds the signature, adds the casts and defaults it asks for, and takes Calcite's
 * own operator where its rules know the function by it (comparisons, truth, CASE, COALESCE).
 * Arithmetic and all else are {@link FunctionOperator}s.
 */
public final class FunctionCalls {
  private static final Map<String, SqlOperator> STANDARD =
      Map.ofEntries(
          Map.entry("eq", SqlStdOperatorTable.EQUALS),
          Map.entry("ne", SqlStdOperatorTable.NOT_EQUALS),
          Map.entry("lt", SqlStdOperatorTable.LESS_THAN),
          Map.entry("le", SqlStdOperatorTable.LESS_THAN_OR_EQUAL),
          Map.entry("gt", SqlStdOperatorTable.GREATER_THAN),
          Map.entry("ge", SqlStdOperatorTable.GREATER_THAN_OR_EQUAL),
          Map.entry("is_distinct_from", SqlStdOperatorTable.IS_DISTINCT_FROM),
          Map.entry("is_not_distinct_from", SqlStdOperatorTable.IS_NOT_DISTINCT_FROM),
          Map.entry("and", SqlStdOperatorTable.AND),
          Map.entry("or", SqlStdOperatorTable.OR),
          Map.entry("not", SqlStdOperatorTable.NOT),
          Map.entry("is_null", SqlStdOperatorTable.IS_NULL),
          Map.entry("is_not_null", SqlStdOperatorTable.IS_NOT_NULL),
          Map.entry("is_true", SqlStdOperatorTable.IS_TRUE),
          Map.entry("is_not_true", SqlStdOperatorTable.IS_NOT_TRUE),
          Map.entry("is_false", SqlStdOperatorTable.IS_FALSE),
          Map.entry("is_not_false", SqlStdOperatorTable.IS_NOT_FALSE),
          Map.entry("coalesce", SqlStdOperatorTable.COALESCE));

  private static final Set<String> VARIADIC = Set.of("and", "or", "coalesce");

  private final RexBuilder builder;
  private final MillraceTypeFactory types;
  private final FunctionRegistry registry;

  public FunctionCalls(RexBuilder builder, FunctionRegistry registry) {
    this.builder = builder;
    this.types = (MillraceTypeFactory) builder.getTypeFactory();
    this.registry = registry;
  }

  /**
   * A scalar function over these arguments.
   *
   * @throws MillraceException UNKNOWN_FUNCTION or TYPE_MISMATCH
   */
  public RexNode call(String name, List<RexNode> arguments) {
    ResolvedFunction resolved = resolve(name, arguments);
    FunctionDefinition definition = resolved.definition();
    if (definition.kind() == FunctionKind.AGGREGATE) {
      throw new MillraceException(
          ErrorCode.INVALID_ARGUMENT,
          "An aggregate function stands where a value of each row is asked for: " + name);
    }
    List<RexNode> operands = operands(resolved, arguments);
    List<Boolean> nullables =
        operands.stream().map(operand -> operand.getType().isNullable()).toList();
    RelDataType type = types.of(resolved.resultType(), CallTypes.isNullable(definition, nullables));
    SqlOperator operator = STANDARD.get(definition.name());
    if (operator == null) {
      return builder.makeCall(type, new FunctionOperator(definition), operands);
    }
    List<RexNode> flat = flat(operator, operands);
    if (flat.isEmpty()) {
      return builder.makeLiteral(operator.getKind() == SqlKind.AND);
    }
    return flat.size() == 1 && VARIADIC.contains(definition.name())
        ? flat.getFirst()
        : builder.makeCall(type, operator, flat);
  }

  /**
   * AND and OR hold no calls of themselves, as Calcite demands of conditions, and no arguments that
   * decide nothing.
   */
  private static List<RexNode> flat(SqlOperator operator, List<RexNode> operands) {
    return switch (operator.getKind()) {
      case AND -> RexUtil.flattenAnd(operands);
      case OR -> RexUtil.flattenOr(operands);
      default -> operands;
    };
  }

  public RexNode call(String name, RexNode... arguments) {
    return call(name, List.of(arguments));
  }

  /** A scalar function with further arguments by name; what lies between them gets its default. */
  public RexNode call(String name, List<RexNode> arguments, Map<String, RexNode> named) {
    if (named.isEmpty()) {
      return call(name, arguments);
    }
    return call(name, NamedArguments.arrange(builder, registry.require(name), arguments, named));
  }

  /** A user-defined function; arguments are cast to its types as SQL would. */
  public RexNode call(UserFunction function, List<RexNode> arguments) {
    List<RexNode> operands = new ArrayList<>();
    if (arguments.size() != function.argumentTypes().size()) {
      throw new MillraceException(
          ErrorCode.TYPE_MISMATCH,
          "The function takes another number of arguments: "
              + function.name()
              + " takes "
              + function.argumentTypes().size()
              + ", given "
              + arguments.size());
    }
    for (int index = 0; index < arguments.size(); index++) {
      DataType wanted = function.argumentTypes().get(index);
      RexNode argument = arguments.get(index);
      DataType given = MillraceTypeFactory.dataType(argument.getType());
      if (!TypeCoercion.canWiden(given, wanted) && !isUntyped(argument)) {
        throw new MillraceException(
            ErrorCode.TYPE_MISMATCH,
            "An argument has another type than the function takes; cast it: "
                + function.name()
                + ", argument "
                + (index + 1)
                + " is "
                + given
                + ", wanted "
                + wanted);
      }
      operands.add(cast(argument, wanted, false));
    }
    return builder.makeCall(
        types.of(function.resultType(), true), new UserFunctionOperator(function), operands);
  }

  /**
   * Chooses the signature. A text constant that fits no signature as text stands for a value of the
   * type that is asked for, as in {@code day > '2026-01-01'}.
   */
  public ResolvedFunction resolve(String name, List<RexNode> arguments) {
    return resolve(
        registry,
        name,
        arguments.stream()
            .map(argument -> MillraceTypeFactory.dataType(argument.getType()))
            .toList(),
        arguments.stream().map(Constants::value).toList());
  }

  /** As {@link #resolve(String, List)}, for arguments that are not yet nodes. */
  public static ResolvedFunction resolve(
      FunctionRegistry registry,
      String name,
      List<DataType> arguments,
      List<Optional<Object>> constants) {
    try {
      return registry.resolve(name, arguments, constants);
    } catch (MillraceException mismatch) {
      List<DataType> untyped = new ArrayList<>(arguments);
      for (int index = 0; index < arguments.size(); index++) {
        if (constants.get(index).orElse(null) instanceof String) {
          untyped.set(index, DataType.NULL);
        }
      }
      if (mismatch.code() != ErrorCode.TYPE_MISMATCH
          || untyped.equals(arguments)
          || untyped.stream().allMatch(DataType.Null.class::isInstance)) {
        throw mismatch;
      }
      try {
        return registry.resolve(name, untyped, constants);
      } catch (MillraceException again) {
        throw mismatch;
      }
    }
  }

  private List<RexNode> operands(ResolvedFunction resolved, List<RexNode> arguments) {
    List<RexNode> operands = new ArrayList<>();
    for (int index = 0; index < arguments.size(); index++) {
      operands.add(cast(arguments.get(index), resolved.argumentTypes().get(index), false));
    }
    for (Object value : resolved.defaults()) {
      DataType type = resolved.argumentTypes().get(operands.size());
      operands.add(constant(value.equals(Parameter.NULL) ? null : value, type));
    }
    return operands;
  }

  /** A constant of the type; a text or number of another class is converted first. */
  private RexNode constant(Object value, DataType type) {
    return value instanceof String text && !(type instanceof DataType.Text)
        ? cast(Constants.text(builder, text), type, false)
        : Constants.of(builder, value, type);
  }

  /** The value as this type; itself when it is of it. Null constants change their type only. */
  public RexNode cast(RexNode node, DataType type, boolean safe) {
    DataType given = MillraceTypeFactory.dataType(node.getType());
    if (given.equals(type)) {
      return node;
    }
    if (node instanceof RexLiteral literal && literal.isNull()) {
      return builder.makeNullLiteral(types.of(type, true));
    }
    if (Constants.isConstant(node) && TypeCoercion.canWiden(given, type)) {
      Optional<RexNode> widened = Constants.widened(builder, node, type);
      if (widened.isPresent()) {
        return widened.get();
      }
    }
    boolean nullable = safe || node.getType().isNullable();
    return builder.makeAbstractCast(types.of(type, nullable), node, safe);
  }

  /** Brings values to their common type, as in CASE, UNION and lists; empty when there is none. */
  public Optional<List<RexNode>> toCommonType(List<RexNode> nodes) {
    List<DataType> given =
        nodes.stream().map(node -> MillraceTypeFactory.dataType(node.getType())).toList();
    return TypeCoercion.commonType(given)
        .or(() -> TypeCoercion.commonType(withoutText(nodes, given)))
        .map(type -> nodes.stream().map(node -> cast(node, type, false)).toList());
  }

  private static List<DataType> withoutText(List<RexNode> nodes, List<DataType> given) {
    List<DataType> untyped = new ArrayList<>();
    for (int index = 0; index < nodes.size(); index++) {
      untyped.add(isUntyped(nodes.get(index)) ? DataType.NULL : given.get(index));
    }
    return untyped;
  }

  private static boolean isUntyped(RexNode node) {
    return Constants.value(node).orElse(null) instanceof String;
  }

  /** CASE over as many conditions as values, with the value otherwise (null for NULL). */
  public RexNode caseWhen(List<RexNode> conditions, List<RexNode> values, RexNode otherwise) {
    RexNode last =
        otherwise == null ? builder.makeNullLiteral(types.of(DataType.NULL, true)) : otherwise;
    List<RexNode> results = Stream.concat(values.stream(), Stream.of(last)).toList();
    List<RexNode> common =
        toCommonType(results)
            .orElseThrow(
                () ->
                    new MillraceException(
                        ErrorCode.TYPE_MISMATCH,
                        "The results of CASE have no common type; cast them: "
                            + results.stream()
                                .map(node -> MillraceTypeFactory.dataType(node.getType()))
                                .toList()));
    List<RexNode> operands = new ArrayList<>();
    for (int index = 0; index < conditions.size(); index++) {
      operands.add(cast(conditions.get(index), DataType.BOOLEAN, false));
      operands.add(common.get(index));
    }
    operands.add(common.getLast());
    boolean nullable = common.stream().anyMatch(node -> node.getType().isNullable());
    RelDataType type = types.createTypeWithNullability(common.getFirst().getType(), nullable);
    return builder.makeCall(type, SqlStdOperatorTable.CASE, operands);
  }
}
