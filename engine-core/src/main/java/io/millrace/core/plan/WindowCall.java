package io.millrace.core.plan;

import io.millrace.core.type.DataType;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.IntUnaryOperator;

/**
 * One function of a Window node.
 *
 * @param function registered name of a window function or an aggregate
 * @param arguments input columns or constants
 * @param distinct whether equal argument rows count once; aggregates only
 * @param ignoreNulls whether rows with a null first argument are passed over; value functions only
 * @param filter boolean input column; only rows where it is true count; aggregates only
 */
public record WindowCall(
    String function,
    List<PhysicalExpression> arguments,
    boolean distinct,
    boolean ignoreNulls,
    OptionalInt filter,
    WindowFrame frame,
    DataType resultType) {
  public WindowCall {
    arguments = List.copyOf(arguments);
  }

  /** The columns that the call reads, in no particular order. */
  public List<Integer> columns() {
    List<PhysicalExpression> parts = new ArrayList<>(arguments);
    frame.start().offset().ifPresent(parts::add);
    frame.end().offset().ifPresent(parts::add);
    List<Integer> columns = new ArrayList<>();
    for (PhysicalExpression part : parts) {
      if (part instanceof PhysicalExpression.Input input) {
        columns.add(input.index());
      }
    }
    filter.ifPresent(columns::add);
    return columns;
  }

  /** The same call over columns at other places. */
  public WindowCall moved(IntUnaryOperator place) {
    return new WindowCall(
        function,
        arguments.stream().map(argument -> moved(argument, place)).toList(),
        distinct,
        ignoreNulls,
        filter.isPresent()
            ? OptionalInt.of(place.applyAsInt(filter.getAsInt()))
            : OptionalInt.empty(),
        new WindowFrame(
            frame.unit(),
            moved(frame.start(), place),
            moved(frame.end(), place),
            frame.exclusion()),
        resultType);
  }

  private static WindowFrame.Bound moved(WindowFrame.Bound bound, IntUnaryOperator place) {
    return new WindowFrame.Bound(bound.edge(), bound.offset().map(offset -> moved(offset, place)));
  }

  private static PhysicalExpression moved(PhysicalExpression part, IntUnaryOperator place) {
    return part instanceof PhysicalExpression.Input input
        ? new PhysicalExpression.Input(place.applyAsInt(input.index()), input.type())
        : part;
  }

  /** Types of the arguments. */
  public List<DataType> argumentTypes() {
    return arguments.stream().map(PhysicalExpression::type).toList();
  }
}
