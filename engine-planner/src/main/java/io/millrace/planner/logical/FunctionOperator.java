package io.millrace.planner.logical;

import io.millrace.core.function.FunctionDefinition;
import io.millrace.core.function.Volatility;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.OperandTypes;

/** A registered scalar function that Calcite has no operator of its own for. */
public final class FunctionOperator extends SqlFunction {
  private final FunctionDefinition definition;

  public FunctionOperator(FunctionDefinition definition) {
    super(
        definition.name(),
        SqlKind.OTHER_FUNCTION,
        null,
        null,
        OperandTypes.VARIADIC,
        SqlFunctionCategory.USER_DEFINED_FUNCTION);
    this.definition = definition;
  }

  public FunctionDefinition definition() {
    return definition;
  }

  @Override
  public boolean isDeterministic() {
    return definition.volatility() != Volatility.VOLATILE;
  }
}
