package io.millrace.planner.logical;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.function.FunctionDefinition;
import io.millrace.core.function.FunctionKind;
import io.millrace.core.function.FunctionRegistry;
import io.millrace.core.function.ResolvedFunction;
import io.millrace.core.type.DataType;
import io.millrace.planner.type.MillraceTypeFactory;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.rel.RelCollations;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlAggFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.util.Optionality;

/** The one operator that stands for an aggregate function in plans; equal by name. */
public final class AggregateOperator extends SqlAggFunction {
  private static final String COUNT = "count";

  private AggregateOperator(String name, RelDataType type) {
    super(
        name,
        null,
        name.equals(COUNT) ? SqlKind.COUNT : SqlKind.OTHER_FUNCTION,
        ReturnTypes.explicit(type),
        null,
        OperandTypes.VARIADIC,
        SqlFunctionCategory.USER_DEFINED_FUNCTION,
        false,
        false,
        Optionality.OPTIONAL);
  }

  /** Whether the result depends on the order of the rows. */
  public static boolean readsOrder(AggregateCall call) {
    String name = OperatorNames.function(call.getAggregation());
    return name.equals("array_agg") || name.equals("string_agg");
  }

  /**
   * A typed aggregate call.
   *
   * @param name function or alias
   * @param arguments columns of the input
   * @param filter boolean column of the input, or −1
   * @param rowType the input's row type
   * @param outputName name of the result column; null for none
   * @throws MillraceException UNKNOWN_FUNCTION, TYPE_MISMATCH
   */
  public static AggregateCall call(
      FunctionRegistry registry,
      MillraceTypeFactory types,
      String name,
      boolean distinct,
      List<Integer> arguments,
      int filter,
      RelDataType rowType,
      String outputName) {
    FunctionDefinition definition = registry.require(name);
    if (definition.kind() != FunctionKind.AGGREGATE) {
      throw new MillraceException(
          ErrorCode.INVALID_ARGUMENT, "This function is not an aggregate: " + name);
    }
    List<DataType> given =
        arguments.stream()
            .map(
                argument ->
                    MillraceTypeFactory.dataType(rowType.getFieldList().get(argument).getType()))
            .toList();
    ResolvedFunction resolved =
        registry.resolve(
            name, given, given.stream().map(type -> Optional.<Object>empty()).toList());
    RelDataType type = types.of(resolved.resultType(), !definition.name().equals(COUNT));
    return AggregateCall.create(
        new AggregateOperator(definition.name(), type),
        distinct,
        false,
        false,
        List.of(),
        arguments,
        filter,
        null,
        RelCollations.EMPTY,
        type,
        outputName);
  }
}
