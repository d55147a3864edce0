package io.millrace.planner.logical;

import io.millrace.core.udf.UserFunction;
import io.millrace.planner.type.MillraceTypeFactory;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperandCountRange;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.SqlOperandCountRanges;

/**
 * A call of a user-defined function inside an expression, before the optimizer gives it a node of
 * its own ({@link UdfCall}). Two are equal when they call the same function object.
 */
public final class UdfOperator extends SqlFunction {
  private final UserFunction function;

  public UdfOperator(UserFunction function) {
    super(
        function.name(),
        SqlKind.OTHER_FUNCTION,
        call -> ((MillraceTypeFactory) call.getTypeFactory()).of(function.resultType(), true),
        null,
        OperandTypes.VARIADIC,
        SqlFunctionCategory.USER_DEFINED_FUNCTION);
    this.function = function;
  }

  public UserFunction function() {
    return function;
  }

  @Override
  public SqlOperandCountRange getOperandCountRange() {
    return SqlOperandCountRanges.of(function.argumentTypes().size());
  }

  @Override
  public boolean isDeterministic() {
    return function.options().deterministic();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof UdfOperator that && that.function.equals(function);
  }

  @Override
  public int hashCode() {
    return function.name().hashCode();
  }
}
