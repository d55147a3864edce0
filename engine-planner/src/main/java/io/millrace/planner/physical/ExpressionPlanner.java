package io.millrace.planner.physical;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.function.FunctionRegistry;
import io.millrace.core.function.Parameter;
import io.millrace.core.function.ResolvedFunction;
import io.millrace.core.plan.PhysicalExpression;
import io.millrace.core.type.DataType;
import io.millrace.planner.logical.Literals;
import io.millrace.planner.logical.OperatorNames;
import io.millrace.planner.rex.FunctionOperator;
import io.millrace.planner.type.MillraceTypeFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexFieldAccess;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexOver;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlLibraryOperators;

/** Turns Calcite expressions into physical ones; every conversion becomes an explicit cast. */
public final class ExpressionPlanner {
  private final FunctionRegistry registry;
  private final RexBuilder builder;

  public ExpressionPlanner(FunctionRegistry registry, RexBuilder builder) {
    this.registry = registry;
    this.builder = builder;
  }

  /**
   * The expression over the columns of its input.
   *
   * @throws MillraceException UNSUPPORTED_SQL for what no operator runs
   */
  public PhysicalExpression plan(RexNode node) {
    return switch (node) {
      case RexInputRef reference ->
          new PhysicalExpression.Input(reference.getIndex(), type(reference.getType()));
      case RexLiteral literal ->
          new PhysicalExpression.Constant(Literals.value(literal), type(literal.getType()));
      case RexFieldAccess access ->
          new PhysicalExpression.FieldAccess(
              plan(access.getReferenceExpr()),
              access.getField().getIndex(),
              type(access.getType()));
      case RexOver over -> throw unsupported("Window functions are not supported here", over);
      case RexCall call when Literals.isConstant(call) ->
          new PhysicalExpression.Constant(Literals.value(call), type(call.getType()));
      case RexCall call -> call(call);
      default -> throw unsupported("This expression is not supported", node);
    };
  }

  /** The expression cast to the given type. */
  public PhysicalExpression planAs(RexNode node, DataType type) {
    return cast(plan(node), type);
  }

  private static MillraceException unsupported(String sentence, RexNode node) {
    return new MillraceException(ErrorCode.UNSUPPORTED_SQL, sentence + ": " + node);
  }

  private static DataType type(RelDataType type) {
    return MillraceTypeFactory.dataType(type);
  }

  static PhysicalExpression cast(PhysicalExpression expression, DataType type) {
    if (expression.type().equals(type)) {
      return expression;
    }
    if (expression instanceof PhysicalExpression.Constant constant && constant.value() == null) {
      return new PhysicalExpression.Constant(null, type);
    }
    return new PhysicalExpression.Cast(expression, type, false);
  }

  private PhysicalExpression call(RexCall call) {
    List<RexNode> operands = call.getOperands();
    return switch (call.getKind()) {
      case AND, OR -> logical(call);
      case CASE -> caseWhen(call);
      case COALESCE ->
          new PhysicalExpression.Coalesce(
              allAs(operands, type(call.getType())), type(call.getType()));
      case CAST, SAFE_CAST -> conversion(call);
      case SEARCH -> plan(RexUtil.expandSearch(builder, null, call));
      case REINTERPRET -> planAs(operands.getFirst(), type(call.getType()));
      default ->
          call.getOperator() instanceof FunctionOperator bound
              ? new PhysicalExpression.Call(
                  bound.definition().name(),
                  operands.stream().map(this::plan).toList(),
                  type(call.getType()))
              : function(
                  OperatorNames.function(call.getOperator()), operands, type(call.getType()));
    };
  }

  private PhysicalExpression logical(RexCall call) {
    boolean conjunction = call.getKind() == SqlKind.AND;
    List<RexNode> flat =
        conjunction
            ? RexUtil.flattenAnd(call.getOperands())
            : RexUtil.flattenOr(call.getOperands());
    List<PhysicalExpression> arguments = MembershipGrouping.group(flat, conjunction, this);
    return arguments.size() == 1
        ? arguments.getFirst()
        : new PhysicalExpression.Logical(conjunction, arguments);
  }

  private PhysicalExpression caseWhen(RexCall call) {
    DataType type = type(call.getType());
    List<RexNode> operands = call.getOperands();
    List<PhysicalExpression.Branch> branches = new ArrayList<>();
    for (int index = 0; index + 1 < operands.size(); index += 2) {
      branches.add(
          new PhysicalExpression.Branch(
              plan(operands.get(index)), planAs(operands.get(index + 1), type)));
    }
    RexNode last = operands.getLast();
    return new PhysicalExpression.CaseWhen(
        branches, Literals.isNull(last) ? Optional.empty() : Optional.of(planAs(last, type)), type);
  }

  private PhysicalExpression conversion(RexCall call) {
    PhysicalExpression input = plan(call.getOperands().getFirst());
    DataType type = type(call.getType());
    boolean safe =
        call.getKind() == SqlKind.SAFE_CAST
            || call.getOperator().equals(SqlLibraryOperators.TRY_CAST);
    if (input.type().equals(type)) {
      return input;
    }
    return input instanceof PhysicalExpression.Constant constant && constant.value() == null
        ? new PhysicalExpression.Constant(null, type)
        : new PhysicalExpression.Cast(input, type, safe);
  }

  private List<PhysicalExpression> allAs(List<RexNode> nodes, DataType type) {
    return nodes.stream().map(node -> planAs(node, type)).toList();
  }

  /** A registered function, its arguments cast as its signature asks, its result as wanted. */
  private PhysicalExpression function(String name, List<RexNode> operands, DataType wanted) {
    List<PhysicalExpression> arguments = operands.stream().map(this::plan).toList();
    ResolvedFunction resolved =
        registry.resolve(
            name,
            arguments.stream().map(PhysicalExpression::type).toList(),
            operands.stream().map(Literals::constant).toList());
    List<PhysicalExpression> all = new ArrayList<>();
    for (int index = 0; index < operands.size(); index++) {
      all.add(cast(arguments.get(index), resolved.argumentTypes().get(index)));
    }
    for (Object value : resolved.defaults()) {
      DataType type = resolved.argumentTypes().get(all.size());
      all.add(new PhysicalExpression.Constant(Parameter.NULL.equals(value) ? null : value, type));
    }
    PhysicalExpression call =
        new PhysicalExpression.Call(resolved.definition().name(), all, resolved.resultType());
    return cast(call, wanted);
  }
}
