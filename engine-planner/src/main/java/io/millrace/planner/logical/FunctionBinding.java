package io.millrace.planner.logical;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.function.FunctionDefinition;
import io.millrace.core.function.FunctionKind;
import io.millrace.core.function.FunctionRegistry;
import io.millrace.core.function.NullPolicy;
import io.millrace.core.function.Parameter;
import io.millrace.core.function.ResolvedFunction;
import io.millrace.core.type.DataType;
import io.millrace.core.type.TypeCoercion;
import io.millrace.core.udf.UserFunction;
import io.millrace.planner.type.MillraceTypeFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;

/**
 * Makes typed calls: the registry chooses the signature, arguments get explicit casts, left-out
 * parameters their defaults. SQL and DataFrame both end here, so equal calls are equal expressions.
 */
public final class FunctionBinding {
  private final RexBuilder builder;
  private final MillraceTypeFactory types;
  private final FunctionRegistry registry;

  public FunctionBinding(RexBuilder builder, FunctionRegistry registry) {
    this.builder = builder;
    this.types = (MillraceTypeFactory) builder.getTypeFactory();
    this.registry = registry;
  }

  public FunctionRegistry registry() {
    return registry;
  }

  /**
   * A call of a scalar function.
   *
   * @throws MillraceException UNKNOWN_FUNCTION, TYPE_MISMATCH, INVALID_ARGUMENT
   */
  public RexNode call(String name, List<RexNode> operands) {
    FunctionDefinition definition = registry.require(name);
    if (definition.kind() == FunctionKind.AGGREGATE) {
      throw new MillraceException(
          ErrorCode.INVALID_ARGUMENT,
          "An aggregate function stands only in agg(…) or beside GROUP BY: " + name);
    }
    ResolvedFunction resolved =
        registry.resolve(
            name,
            operands.stream().map(FunctionBinding::dataType).toList(),
            operands.stream().map(Literals::constant).toList());
    List<RexNode> arguments = new ArrayList<>();
    for (RexNode operand : operands) {
      arguments.add(cast(operand, resolved.argumentTypes().get(arguments.size())));
    }
    for (Object value : resolved.defaults()) {
      DataType type = resolved.argumentTypes().get(arguments.size());
      arguments.add(Literals.of(builder, Parameter.NULL.equals(value) ? null : value, type));
    }
    RelDataType type = types.of(resolved.resultType(), isNullable(definition, arguments));
    return builder.makeCall(type, operator(definition), arguments);
  }

  /** Only the plain operators are known to give null for nothing but null. */
  private static boolean isNullable(FunctionDefinition definition, List<RexNode> arguments) {
    if (definition.nullPolicy() == NullPolicy.NEVER_NULL) {
      return false;
    }
    return OperatorNames.operator(definition.name()).isEmpty()
        || arguments.stream().anyMatch(argument -> argument.getType().isNullable());
  }

  /** The one operator that stands for a scalar function in plans. */
  public static SqlOperator operator(FunctionDefinition definition) {
    return OperatorNames.operator(definition.name())
        .orElseGet(() -> new FunctionOperator(definition));
  }

  /** A call of a user-defined function. */
  public RexNode call(UserFunction function, List<RexNode> operands) {
    if (operands.size() != function.argumentTypes().size()) {
      throw new MillraceException(
          ErrorCode.TYPE_MISMATCH,
          "The function takes another number of arguments: "
              + function.name()
              + " takes "
              + function.argumentTypes()
              + ", given "
              + operands.stream().map(FunctionBinding::dataType).toList());
    }
    List<RexNode> arguments = new ArrayList<>();
    for (RexNode operand : operands) {
      DataType given = dataType(operand);
      DataType wanted = function.argumentTypes().get(arguments.size());
      if (!TypeCoercion.canWiden(given, wanted)) {
        throw new MillraceException(
            ErrorCode.TYPE_MISMATCH,
            "An argument does not fit the function; cast it: argument "
                + (arguments.size() + 1)
                + " of "
                + function.name()
                + " is "
                + given
                + ", it takes "
                + wanted);
      }
      arguments.add(cast(operand, wanted));
    }
    return builder.makeCall(
        types.of(function.resultType(), true), new UdfOperator(function), arguments);
  }

  /** The expression as the type: itself when it has it, a constant of it, or a cast. */
  public RexNode cast(RexNode node, DataType type) {
    DataType own = dataType(node);
    if (own.equals(type)) {
      return node;
    }
    if (Literals.isNull(node)) {
      return Literals.of(builder, null, type);
    }
    if (node instanceof RexLiteral literal && Literals.widensExactly(own, type)) {
      return Literals.of(builder, Literals.valueAs(builder, literal, type), type);
    }
    return cast(node, type, false);
  }

  /** An explicit cast, never folded here. */
  public RexNode cast(RexNode node, DataType type, boolean safe) {
    return builder.makeAbstractCast(
        types.of(type, safe || node.getType().isNullable()), node, safe);
  }

  /** CASE: condition, value, …, otherwise; values are cast to their common type. */
  public RexNode caseWhen(List<RexNode> operands) {
    List<DataType> values = new ArrayList<>();
    for (int index = 0; index < operands.size(); index++) {
      if (isValue(index, operands.size())) {
        values.add(dataType(operands.get(index)));
      } else {
        requireBoolean(operands.get(index));
      }
    }
    DataType common = commonType(values, "The branches of CASE");
    List<RexNode> arguments = new ArrayList<>();
    boolean nullable = false;
    for (RexNode operand : operands) {
      boolean value = isValue(arguments.size(), operands.size());
      arguments.add(value ? cast(operand, common) : operand);
      nullable |= value && arguments.getLast().getType().isNullable();
    }
    return builder.makeCall(types.of(common, nullable), SqlStdOperatorTable.CASE, arguments);
  }

  private static boolean isValue(int index, int count) {
    return index % 2 == 1 || index == count - 1;
  }

  /** COALESCE with arguments cast to their common type. */
  public RexNode coalesce(List<RexNode> operands) {
    DataType common =
        commonType(
            operands.stream().map(FunctionBinding::dataType).toList(), "The arguments of COALESCE");
    List<RexNode> arguments = operands.stream().map(operand -> cast(operand, common)).toList();
    boolean nullable = arguments.stream().allMatch(argument -> argument.getType().isNullable());
    return builder.makeCall(types.of(common, nullable), SqlStdOperatorTable.COALESCE, arguments);
  }

  private static DataType commonType(List<DataType> all, String what) {
    return TypeCoercion.commonType(all)
        .orElseThrow(
            () ->
                new MillraceException(
                    ErrorCode.TYPE_MISMATCH, what + " have no common type; cast them: " + all));
  }

  /** AND or OR. */
  public RexNode logical(SqlOperator operator, List<RexNode> operands) {
    operands.forEach(FunctionBinding::requireBoolean);
    boolean nullable = operands.stream().anyMatch(operand -> operand.getType().isNullable());
    List<RexNode> arguments =
        operands.stream().map(operand -> cast(operand, DataType.BOOLEAN)).toList();
    return builder.makeCall(types.of(DataType.BOOLEAN, nullable), operator, arguments);
  }

  /**
   * @throws MillraceException TYPE_MISMATCH when the expression is neither boolean nor NULL
   */
  public static void requireBoolean(RexNode node) {
    DataType type = dataType(node);
    if (!(type instanceof DataType.Bool || type instanceof DataType.Null)) {
      throw new MillraceException(
          ErrorCode.TYPE_MISMATCH, "A condition is boolean, this one is " + type + ": " + node);
    }
  }

  /** Whether the expression, or a part of it, may give another result when evaluated again. */
  public static boolean isVolatile(RexNode node) {
    return node instanceof RexCall call
        && (!call.getOperator().isDeterministic()
            || call.getOperands().stream().anyMatch(FunctionBinding::isVolatile));
  }

  /** The user-defined function that the expression calls at its top. */
  public static Optional<UserFunction> userFunction(RexNode node) {
    return node instanceof RexCall call && call.getOperator() instanceof UdfOperator operator
        ? Optional.of(operator.function())
        : Optional.empty();
  }

  static DataType dataType(RexNode node) {
    return MillraceTypeFactory.dataType(node.getType());
  }
}
