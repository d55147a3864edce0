package io.millrace.planner.rex;

import io.millrace.core.function.FunctionDefinition;
import io.millrace.core.function.Volatility;
import io.millrace.planner.type.MillraceTypeFactory;
import java.util.Map;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperator;

/**
 * A scalar function of the registry as operator of a RexCall; its name is the registered one. The
 * operands of a call already have the types that the function takes.
 */
public final class FunctionOperator extends SqlFunction {
  private static final Map<String, SqlKind> KINDS =
      Map.of(
          "add", SqlKind.PLUS,
          "subtract", SqlKind.MINUS,
          "multiply", SqlKind.TIMES,
          "divide", SqlKind.DIVIDE,
          "mod", SqlKind.MOD,
          "negate", SqlKind.MINUS_PREFIX);

  private final transient FunctionDefinition definition;

  public FunctionOperator(FunctionDefinition definition) {
    super(
        definition.name(),
        KINDS.getOrDefault(definition.name(), SqlKind.OTHER_FUNCTION),
        binding ->
            CallTypes.resultType(
                definition,
                (MillraceTypeFactory) binding.getTypeFactory(),
                binding.collectOperandTypes()),
        null,
        null,
        SqlFunctionCategory.USER_DEFINED_FUNCTION);
    this.definition = definition;
  }

  public FunctionDefinition definition() {
    return definition;
  }

  /** Calcite compares sums and products without regard to the order of their operands. */
  @Override
  public SqlOperator reverse() {
    return kind == SqlKind.PLUS || kind == SqlKind.TIMES ? this : null;
  }

  @Override
  public boolean isDeterministic() {
    return definition.volatility() != Volatility.VOLATILE;
  }

  @Override
  public boolean isDynamicFunction() {
    return definition.volatility() == Volatility.STABLE;
  }
}
