package io.millrace.planner.logical;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.function.FunctionRegistry;
import io.millrace.core.type.DataType;
import io.millrace.core.udf.UserFunction;
import io.millrace.planner.rex.FunctionCalls;
import io.millrace.planner.rex.UserFunctionOperator;
import io.millrace.planner.type.MillraceTypeFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;

/** The calls that SQL makes too ({@link FunctionCalls}), and what only this side of it asks for. */
public final class FunctionBinding {
  private final RexBuilder builder;
  private final FunctionRegistry registry;
  private final FunctionCalls calls;

  public FunctionBinding(RexBuilder builder, FunctionRegistry registry) {
    this.builder = builder;
    this.registry = registry;
    this.calls = new FunctionCalls(builder, registry);
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
    return calls.call(name, operands);
  }

  /**
   * A call with named arguments behind the positional ones.
   *
   * @throws MillraceException UNKNOWN_OPTION, DUPLICATE_NAME, INVALID_ARGUMENT, and as above
   */
  public RexNode call(String name, List<RexNode> positional, Map<String, RexNode> named) {
    return calls.call(name, positional, named);
  }

  /**
   * A call of a user-defined function.
   *
   * @throws MillraceException TYPE_MISMATCH
   */
  public RexNode call(UserFunction function, List<RexNode> operands) {
    return calls.call(function, operands);
  }

  /** The expression as the type: itself when it has it, a constant of it, or a cast. */
  public RexNode cast(RexNode node, DataType type) {
    if (node instanceof RexLiteral literal
        && !literal.isNull()
        && Literals.widensExactly(dataType(node), type)) {
      return Literals.of(builder, Literals.valueAs(builder, literal, type), type);
    }
    return calls.cast(node, type, false);
  }

  /** An explicit cast, never folded here. */
  public RexNode cast(RexNode node, DataType type, boolean safe) {
    return calls.cast(node, type, safe);
  }

  /** CASE: condition, value, …, otherwise; values are cast to their common type. */
  public RexNode caseWhen(List<RexNode> operands) {
    List<RexNode> conditions = new ArrayList<>();
    List<RexNode> values = new ArrayList<>();
    for (int index = 0; index + 1 < operands.size(); index += 2) {
      requireBoolean(operands.get(index));
      conditions.add(operands.get(index));
      values.add(operands.get(index + 1));
    }
    return calls.caseWhen(conditions, values, operands.getLast());
  }

  /** COALESCE with arguments cast to their common type. */
  public RexNode coalesce(List<RexNode> operands) {
    return calls.call("coalesce", operands);
  }

  /** AND or OR, flat. */
  public RexNode logical(SqlOperator operator, List<RexNode> operands) {
    operands.forEach(FunctionBinding::requireBoolean);
    boolean conjunction = operator.equals(SqlStdOperatorTable.AND);
    // also drops arguments that decide nothing
    List<RexNode> flat = conjunction ? RexUtil.flattenAnd(operands) : RexUtil.flattenOr(operands);
    return switch (flat.size()) {
      case 0 -> builder.makeLiteral(conjunction);
      case 1 -> flat.getFirst();
      default -> calls.call(conjunction ? "and" : "or", flat);
    };
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
    return node instanceof RexCall call && call.getOperator() instanceof UserFunctionOperator known
        ? Optional.of(known.function())
        : Optional.empty();
  }

  static DataType dataType(RexNode node) {
    return MillraceTypeFactory.dataType(node.getType());
  }
}
