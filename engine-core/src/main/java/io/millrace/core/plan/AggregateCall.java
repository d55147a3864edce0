package io.millrace.core.plan;

import io.millrace.core.type.DataType;
import java.util.List;
import java.util.OptionalInt;

/**
 * One aggregate of an Aggregate node.
 *
 * @param function registered name
 * @param arguments input columns; for a FINAL step its state columns
 * @param argumentTypes types of the values (also in FINAL, where the columns are states)
 * @param distinct whether equal argument rows count once; never in PARTIAL or FINAL steps
 * @param filter boolean input column; only rows where it is true count; empty in FINAL
 */
public record AggregateCall(
    String function,
    List<Integer> arguments,
    List<DataType> argumentTypes,
    boolean distinct,
    OptionalInt filter,
    DataType resultType) {
  public AggregateCall {
    arguments = List.copyOf(arguments);
    argumentTypes = List.copyOf(argumentTypes);
  }
}
