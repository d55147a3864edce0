package io.millrace.planner.optimize;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.function.FunctionDefinition;
import io.millrace.core.function.FunctionKind;
import io.millrace.core.function.NullPolicy;
import io.millrace.core.function.Volatility;
import io.millrace.core.spi.ConstantEvaluator;
import io.millrace.core.type.DataType;
import io.millrace.core.udf.UserFunction;
import io.millrace.planner.logical.FunctionBinding;
import io.millrace.planner.logical.Literals;
import io.millrace.planner.logical.OperatorNames;
import io.millrace.planner.physical.ExpressionPlanner;
import io.millrace.planner.rex.CallTypes;
import io.millrace.planner.rex.FunctionOperator;
import io.millrace.planner.type.MillraceTypeFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexFieldAccess;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexOver;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlLibraryOperators;

/**
 * Brings expressions to one form: every conversion an explicit cast, one operator per function, no
 * SEARCH, flat AND and OR, constants folded by the engine's own kernels, null-safe simplification.
 * What a fold would raise as an error stays unfolded, so rows that never reach it do not fail.
 */
final class ExpressionNormalizer {
  private static final Map<String, String> OPPOSITES =
      Map.ofEntries(
          Map.entry("eq", "ne"),
          Map.entry("ne", "eq"),
          Map.entry("lt", "ge"),
          Map.entry("ge", "lt"),
          Map.entry("gt", "le"),
          Map.entry("le", "gt"),
          Map.entry("is_null", "is_not_null"),
          Map.entry("is_not_null", "is_null"),
          Map.entry("is_true", "is_not_true"),
          Map.entry("is_not_true", "is_true"),
          Map.entry("is_false", "is_not_false"),
          Map.entry("is_not_false", "is_false"),
          Map.entry("is_distinct_from", "is_not_distinct_from"),
          Map.entry("is_not_distinct_from", "is_distinct_from"));

  private final RexBuilder builder;
  private final FunctionBinding binding;
  private final Optional<ConstantEvaluator> evaluator;
  private final ExpressionPlanner planner;
  private final LogicalSimplifier logic;

  ExpressionNormalizer(
      RexBuilder builder, FunctionBinding binding, Optional<ConstantEvaluator> evaluator) {
    this.builder = builder;
    this.binding = binding;
    this.evaluator = evaluator;
    this.planner = new ExpressionPlanner(binding.registry(), builder);
    this.logic = new LogicalSimplifier(builder, binding);
  }

  /** The expression over columns of these types, which may be others than it was made for. */
  RexNode normalize(RexNode node, List<RelDataType> columns) {
    return switch (node) {
      case RexInputRef reference ->
          new RexInputRef(reference.getIndex(), columns.get(reference.getIndex()));
      case RexFieldAccess access ->
          builder.makeFieldAccess(
              normalize(access.getReferenceExpr(), columns), access.getField().getIndex());
      case RexOver over ->
          throw new MillraceException(
              ErrorCode.UNSUPPORTED_SQL, "Window functions are not supported: " + over);
      case RexCall call when Literals.isConstant(call) -> call;
      case RexCall call when call.getKind() == SqlKind.SEARCH ->
          normalize(RexUtil.expandSearch(builder, null, call), columns);
      case RexCall call -> call(call, operands(call, columns));
      default -> node;
    };
  }

  private List<RexNode> operands(RexCall call, List<RelDataType> columns) {
    return call.getOperands().stream().map(operand -> normalize(operand, columns)).toList();
  }

  private RexNode call(RexCall call, List<RexNode> operands) {
    DataType declared = MillraceTypeFactory.dataType(call.getType());
    return switch (call.getKind()) {
      case AND -> logic.and(operands);
      case OR -> logic.or(operands);
      case NOT -> not(operands.getFirst());
      case CASE -> typed(caseWhen(operands), declared);
      case COALESCE -> typed(coalesce(operands), declared);
      case CAST, SAFE_CAST -> cast(call, operands.getFirst(), declared);
      case REINTERPRET -> binding.cast(operands.getFirst(), declared);
      default -> function(call, operands, declared);
    };
  }

  /** The value with the type that was declared for it, which others may rely on. */
  private RexNode typed(RexNode node, DataType declared) {
    return declared instanceof DataType.Null ? node : fold(binding.cast(node, declared));
  }

  private RexNode cast(RexCall call, RexNode operand, DataType type) {
    boolean safe =
        call.getKind() == SqlKind.SAFE_CAST
            || call.getOperator().equals(SqlLibraryOperators.TRY_CAST);
    boolean same = MillraceTypeFactory.dataType(operand.getType()).equals(type);
    if (same) {
      return operand;
    }
    return fold(safe ? binding.cast(operand, type, true) : binding.cast(operand, type));
  }

  private RexNode not(RexNode operand) {
    if (operand.isAlwaysTrue() || operand.isAlwaysFalse()) {
      return builder.makeLiteral(operand.isAlwaysFalse());
    }
    if (operand instanceof RexCall inner) {
      if (inner.getKind() == SqlKind.NOT) {
        return inner.getOperands().getFirst();
      }
      String opposite = OPPOSITES.get(OperatorNames.function(inner.getOperator()));
      if (opposite != null) {
        return binding.call(opposite, inner.getOperands());
      }
    }
    return fold(binding.call("not", List.of(operand)));
  }

  private RexNode function(RexCall call, List<RexNode> operands, DataType declared) {
    Optional<UserFunction> userFunction = FunctionBinding.userFunction(call);
    if (userFunction.isPresent()) {
      return binding.call(userFunction.get(), operands);
    }
    String name = OperatorNames.function(call.getOperator());
    Optional<FunctionDefinition> definition =
        binding.registry().find(name).filter(found -> found.kind() == FunctionKind.SCALAR);
    if (definition.isEmpty()) {
      return call.clone(call.getType(), operands);
    }
    if (isStrict(definition.get()) && operands.stream().anyMatch(Literals::isNull)) {
      return Literals.of(builder, null, declared);
    }
    if (operands.size() == 1 && !operands.getFirst().getType().isNullable()) {
      if (name.equals("is_null") || name.equals("is_not_null")) {
        return builder.makeLiteral(name.equals("is_not_null"));
      }
    }
    RexNode bound =
        isBound(call, operands)
            ? rebuilt(call, definition.get(), operands)
            : binding.call(name, operands);
    return typed(fold(bound), declared);
  }

  /** Whether the call was made over these types already, with casts and defaults in place. */
  private static boolean isBound(RexCall call, List<RexNode> operands) {
    return call.getOperator() instanceof FunctionOperator
        && Rewriting.dataTypes(call.getOperands()).equals(Rewriting.dataTypes(operands));
  }

  /** The same call, whose result may have stopped being null. */
  private RexNode rebuilt(RexCall call, FunctionDefinition definition, List<RexNode> operands) {
    boolean nullable =
        CallTypes.isNullable(
            definition, operands.stream().map(operand -> operand.getType().isNullable()).toList());
    return call.clone(
        builder.getTypeFactory().createTypeWithNullability(call.getType(), nullable), operands);
  }

  private static boolean isStrict(FunctionDefinition definition) {
    return definition.nullPolicy() == NullPolicy.NULL_ON_NULL
        && definition.volatility() != Volatility.VOLATILE
        && definition.signatures().stream()
            .flatMap(signature -> signature.parameters().stream())
            .noneMatch(parameter -> parameter.defaultValue().isPresent());
  }

  /** Drops branches that are never taken; finds COALESCE in CASE WHEN x IS NOT NULL THEN x. */
  private RexNode caseWhen(List<RexNode> operands) {
    List<RexNode> kept = new ArrayList<>();
    RexNode otherwise = operands.getLast();
    for (int index = 0; index + 1 < operands.size(); index += 2) {
      RexNode condition = operands.get(index);
      if (condition.isAlwaysTrue()) {
        otherwise = operands.get(index + 1);
        break;
      }
      if (!condition.isAlwaysFalse() && !Literals.isNull(condition)) {
        kept.add(condition);
        kept.add(operands.get(index + 1));
      }
    }
    if (kept.isEmpty()) {
      return otherwise;
    }
    if (kept.size() == 2 && isNotNullTest(kept.getFirst(), kept.getLast())) {
      return coalesce(List.of(kept.getLast(), otherwise));
    }
    kept.add(otherwise);
    return binding.caseWhen(kept);
  }

  private boolean isNotNullTest(RexNode condition, RexNode value) {
    if (!(condition instanceof RexCall call) || call.getKind() != SqlKind.IS_NOT_NULL) {
      return false;
    }
    RexNode tested = call.getOperands().getFirst();
    return withoutCast(tested).equals(withoutCast(value)) && !FunctionBinding.isVolatile(tested);
  }

  private static RexNode withoutCast(RexNode node) {
    return node instanceof RexCall call && call.getKind() == SqlKind.CAST
        ? call.getOperands().getFirst()
        : node;
  }

  private RexNode coalesce(List<RexNode> operands) {
    List<RexNode> kept = new ArrayList<>();
    for (RexNode operand : operands) {
      boolean nested = operand instanceof RexCall call && call.getKind() == SqlKind.COALESCE;
      kept.addAll(nested ? ((RexCall) operand).getOperands() : List.of(operand));
    }
    List<RexNode> needed = new ArrayList<>();
    for (RexNode operand : kept) {
      if (!Literals.isNull(operand)) {
        needed.add(operand);
      }
      if (!operand.getType().isNullable()) {
        break;
      }
    }
    if (needed.isEmpty()) {
      return operands.getLast();
    }
    return needed.size() == 1 ? needed.getFirst() : binding.coalesce(needed);
  }

  /** The constant that the call of constants gives; the call itself when it cannot be told. */
  private RexNode fold(RexNode node) {
    if (evaluator.isEmpty()
        || !(node instanceof RexCall call)
        || Literals.isConstant(call)
        || !call.getOperands().stream().allMatch(Literals::isConstant)
        || !isImmutable(call)) {
      return node;
    }
    try {
      Object value = evaluator.get().evaluate(planner.plan(call));
      return Literals.of(builder, value, MillraceTypeFactory.dataType(call.getType()));
    } catch (MillraceException failure) {
      return node;
    }
  }

  private boolean isImmutable(RexCall call) {
    if (FunctionBinding.userFunction(call).isPresent()) {
      return false;
    }
    return binding
        .registry()
        .find(OperatorNames.function(call.getOperator()))
        .map(definition -> definition.volatility() == Volatility.IMMUTABLE)
        .orElse(call.getOperator().isDeterministic());
  }
}
