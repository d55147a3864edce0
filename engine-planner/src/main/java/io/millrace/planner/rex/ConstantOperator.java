package io.millrace.planner.rex;

import io.millrace.core.type.DataType;
import io.millrace.planner.type.MillraceTypeFactory;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlKind;

/**
 * A constant that Calcite has no literal for, such as an embedding or an interval of months and
 * days: an operator without operands whose name tells the value, so that equal constants are equal.
 */
public final class ConstantOperator extends SqlFunction {
  private final transient Object value;
  private final transient DataType type;

  ConstantOperator(Object value, DataType type) {
    super(
        ValueText.of(value) + ":" + type,
        SqlKind.OTHER_FUNCTION,
        binding -> ((MillraceTypeFactory) binding.getTypeFactory()).of(type, value == null),
        null,
        null,
        SqlFunctionCategory.SYSTEM);
    this.value = value;
    this.type = type;
  }

  /** The value, never null; its class is the one that {@code ColumnVector.valueAt} gives. */
  public Object value() {
    return value;
  }

  public DataType type() {
    return type;
  }
}
