package io.millrace.core.function.window;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.function.FunctionDefinition;
import io.millrace.core.function.FunctionFamily;
import io.millrace.core.function.Parameter;
import io.millrace.core.function.ResultType;
import io.millrace.core.function.Signature;
import io.millrace.core.function.TypePattern;
import io.millrace.core.type.DataType;
import io.millrace.core.type.TypeCoercion;
import java.util.List;

/**
 * Functions of a row's place in its window. Ranks count from 1. {@code lag} and {@code lead} count
 * over the partition, the other value functions over the frame; with IGNORE NULLS rows whose value
 * is null are passed over.
 */
public final class WindowFunctions implements FunctionFamily {
  private static final ResultType INT64 = ResultType.always(DataType.INT64);
  private static final ResultType FLOAT64 = ResultType.always(DataType.FLOAT64);
  private static final Parameter VALUE = Parameter.of("value", TypePattern.ANY);
  private static final Parameter OFFSET = Parameter.of("offset", TypePattern.INT64);

  @Override
  public String name() {
    return "window";
  }

  private static ResultType withDefault() {
    return (arguments, constants) ->
        TypeCoercion.commonType(arguments.get(0), arguments.get(2))
            .orElseThrow(
                () ->
                    new MillraceException(
                        ErrorCode.TYPE_MISMATCH,
                        "The default has another type than the value: "
                            + arguments.get(0)
                            + ", "
                            + arguments.get(2)));
  }

  private static FunctionDefinition shifted(String name, String summary) {
    return FunctionDefinition.window(
        name,
        summary,
        Signature.of(ResultType.argument(0), VALUE),
        Signature.of(ResultType.argument(0), VALUE, OFFSET),
        Signature.of(withDefault(), VALUE, OFFSET, Parameter.of("default", TypePattern.ANY)));
  }

  private static FunctionDefinition value(String name, String summary) {
    return FunctionDefinition.window(name, summary, Signature.of(ResultType.argument(0), VALUE));
  }

  @Override
  public List<FunctionDefinition> definitions() {
    return List.of(
        FunctionDefinition.window(
            "row_number", "The row's number in its partition.", Signature.of(INT64)),
        FunctionDefinition.window(
            "rank", "The number of the first of the row's peers.", Signature.of(INT64)),
        FunctionDefinition.window(
            "dense_rank", "The number of the row's group of peers.", Signature.of(INT64)),
        FunctionDefinition.window(
            "percent_rank",
            "The rank less one, over the partition's rows less one; 0 in a partition of one row.",
            Signature.of(FLOAT64)),
        FunctionDefinition.window(
            "cume_dist",
            "The share of the partition's rows up to the row's last peer.",
            Signature.of(FLOAT64)),
        FunctionDefinition.window(
            "ntile",
            "The number of the row's part when the partition is cut into equal parts.",
            Signature.of(INT64, Parameter.of("parts", TypePattern.INT64))),
        shifted("lag", "The value of an earlier row: one, or offset rows before."),
        shifted("lead", "The value of a later row: one, or offset rows after."),
        value("first_value", "The value of the frame's first row."),
        value("last_value", "The value of the frame's last row."),
        FunctionDefinition.window(
            "nth_value",
            "The value of the frame's row of that number, from 1; null when there are fewer.",
            Signature.of(ResultType.argument(0), VALUE, OFFSET)));
  }
}
