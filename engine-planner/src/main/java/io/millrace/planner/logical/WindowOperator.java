package io.millrace.planner.logical;

import io.millrace.core.function.FunctionDefinition;
import io.millrace.core.function.FunctionRegistry;
import io.millrace.core.type.DataType;
import io.millrace.planner.type.MillraceTypeFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlAggFunction;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlCallBinding;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperatorBinding;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorScope;
import org.apache.calcite.util.Optionality;

/**
 * A function before OVER: a window function or an aggregate. With a filter its condition is the
 * last operand.
 */
public final class WindowOperator extends SqlAggFunction {
  private final transient FunctionDefinition definition;
  private final boolean filtered;
  private final boolean ignoresNulls;

  public WindowOperator(FunctionDefinition definition, boolean filtered, boolean ignoresNulls) {
    super(
        definition.name(),
        null,
        SqlKind.OTHER_FUNCTION,
        binding -> resultType(definition, filtered, binding),
        null,
        OperandTypes.VARIADIC,
        SqlFunctionCategory.USER_DEFINED_FUNCTION,
        false,
        true,
        Optionality.FORBIDDEN);
    this.definition = definition;
    this.filtered = filtered;
    this.ignoresNulls = ignoresNulls;
  }

  public FunctionDefinition definition() {
    return definition;
  }

  /** Whether the last operand is a filter's condition. */
  public boolean isFiltered() {
    return filtered;
  }

  /** Whether rows with a null value are passed over. */
  public boolean ignoresNulls() {
    return ignoresNulls;
  }

  private static RelDataType resultType(
      FunctionDefinition definition, boolean filtered, SqlOperatorBinding binding) {
    List<DataType> arguments = new ArrayList<>();
    int count = binding.getOperandCount() - (filtered ? 1 : 0);
    for (int index = 0; index < count; index++) {
      arguments.add(MillraceTypeFactory.dataType(binding.getOperandType(index)));
    }
    DataType result =
        new FunctionRegistry(List.of(definition))
            .resolve(
                definition.name(),
                arguments,
                arguments.stream().map(unused -> Optional.<Object>empty()).toList())
            .resultType();
    return ((MillraceTypeFactory) binding.getTypeFactory()).of(result, true);
  }

  @Override
  public RelDataType deriveType(SqlValidator validator, SqlValidatorScope scope, SqlCall call) {
    call.getOperandList().forEach(operand -> validator.deriveType(scope, operand));
    return inferReturnType(new SqlCallBinding(validator, scope, call));
  }

  @Override
  public boolean allowsFraming() {
    return true;
  }

  @Override
  public boolean allowsNullTreatment() {
    return true;
  }

  /** Functions of one name are equal, but for filter and treatment of nulls. */
  @Override
  public boolean equals(Object other) {
    return other instanceof WindowOperator operator
        && operator.getName().equals(getName())
        && operator.filtered == filtered
        && operator.ignoresNulls == ignoresNulls;
  }

  @Override
  public int hashCode() {
    return getName().hashCode();
  }
}
