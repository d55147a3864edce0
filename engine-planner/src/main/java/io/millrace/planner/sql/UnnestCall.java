package io.millrace.planner.sql;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.type.DataType;
import io.millrace.planner.type.MillraceTypeFactory;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.SqlCallBinding;
import org.apache.calcite.sql.SqlOperatorBinding;
import org.apache.calcite.sql.SqlUnnestOperator;

/**
 * UNNEST in FROM over our types: one column per list, whatever its elements are, and a key and a
 * value for a map.
 */
final class UnnestCall extends SqlUnnestOperator {
  private static final String ELEMENT = "unnest";

  UnnestCall(boolean withOrdinality) {
    super(withOrdinality);
  }

  @Override
  public boolean checkOperandTypes(SqlCallBinding binding, boolean throwOnFailure) {
    for (int index = 0; index < binding.getOperandCount(); index++) {
      elementType(MillraceTypeFactory.dataType(binding.getOperandType(index)));
    }
    return true;
  }

  private static DataType elementType(DataType list) {
    return switch (list) {
      case DataType.ListOf type -> type.element().type();
      case DataType.FixedList type -> type.element().type();
      case DataType.Embedding type -> type.element();
      case DataType.MapOf type -> type.value().type();
      case DataType.Null unused -> DataType.NULL;
      default ->
          throw new MillraceException(
              ErrorCode.TYPE_MISMATCH, "UNNEST takes lists and maps, not " + list);
    };
  }

  @Override
  public RelDataType inferReturnType(SqlOperatorBinding binding) {
    MillraceTypeFactory types = (MillraceTypeFactory) binding.getTypeFactory();
    RelDataTypeFactory.Builder columns = types.builder();
    for (int index = 0; index < binding.getOperandCount(); index++) {
      DataType list = MillraceTypeFactory.dataType(binding.getOperandType(index));
      String suffix = index == 0 ? "" : String.valueOf(index + 1);
      if (list instanceof DataType.MapOf map) {
        columns.add("key" + suffix, types.of(map.key().type(), true));
        columns.add("value" + suffix, types.of(map.value().type(), true));
      } else {
        columns.add(ELEMENT + suffix, types.of(elementType(list), true));
      }
    }
    if (withOrdinality) {
      columns.add("ordinality", types.of(DataType.INT64, true));
    }
    return columns.build();
  }
}
