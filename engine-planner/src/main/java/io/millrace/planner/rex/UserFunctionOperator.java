package io.millrace.planner.rex;

import io.millrace.core.udf.UserFunction;
import io.millrace.planner.type.MillraceTypeFactory;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlKind;

/**
 * A user-defined function as operator of a RexCall. Two are the same only when they hold the same
 * function object: equal names say nothing about closures.
 */
public final class UserFunctionOperator extends SqlFunction {
  private final transient UserFunction function;

  public UserFunctionOperator(UserFunction function) {
    super(
        function.name(),
        SqlKind.OTHER_FUNCTION,
        binding -> ((MillraceTypeFactory) binding.getTypeFactory()).of(function.resultType(), true),
        null,
        null,
        SqlFunctionCategory.USER_DEFINED_FUNCTION);
    this.function = function;
  }

  public UserFunction function() {
    return function;
  }

  @Override
  public boolean isDeterministic() {
    return function.options().deterministic();
  }

  @Override
  public boolean equals(Object other) {
    return this == other
        || (other instanceof UserFunctionOperator that && that.function.equals(function));
  }

  @Override
  public int hashCode() {
    return function.hashCode();
  }
}
