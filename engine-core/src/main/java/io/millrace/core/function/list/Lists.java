package io.millrace.core.function.list;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.function.FunctionDefinition;
import io.millrace.core.function.FunctionFamily;
import io.millrace.core.function.NullPolicy;
import io.millrace.core.function.Parameter;
import io.millrace.core.function.ResultType;
import io.millrace.core.function.Signature;
import io.millrace.core.function.TypePattern;
import io.millrace.core.type.DataType;
import java.util.List;

/** Lists: building, size and access. Positions count from 1. */
public final class Lists implements FunctionFamily {
  private static final TypePattern LIST =
      TypePattern.matching(
          "list",
          DataType.list(DataType.NULL),
          type ->
              type instanceof DataType.ListOf
                  || type instanceof DataType.FixedList
                  || type instanceof DataType.Embedding);

  @Override
  public String name() {
    return "list";
  }

  /** The type of a list's elements. */
  static DataType elementType(DataType list) {
    return switch (list) {
      case DataType.ListOf type -> type.element().type();
      case DataType.FixedList type -> type.element().type();
      case DataType.Embedding type -> type.element();
      default -> throw new MillraceException(ErrorCode.TYPE_MISMATCH, "Not a list: " + list);
    };
  }

  @Override
  public List<FunctionDefinition> definitions() {
    return List.of(
        FunctionDefinition.scalar(
                "array",
                "A list of these values.",
                Signature.ofCommonType(
                        (arguments, constants) -> DataType.list(arguments.get(0)),
                        Parameter.of("value", TypePattern.ANY))
                    .asVariadic())
            .nulls(NullPolicy.NEVER_NULL)
            .example("ARRAY[1, 2]", "[1, 2]"),
        FunctionDefinition.scalar(
                "cardinality",
                "Number of elements.",
                Signature.of(ResultType.always(DataType.INT64), Parameter.of("value", LIST)))
            .alias("list_length")
            .example("CARDINALITY(ARRAY[1, 2])", "2"),
        FunctionDefinition.scalar(
                "element_at",
                "The element at a position from 1, or from the end by -1, -2 …; null outside.",
                Signature.of(
                    (arguments, constants) -> elementType(arguments.get(0)),
                    Parameter.of("value", LIST),
                    Parameter.of("position", TypePattern.INT64)))
            .nulls(NullPolicy.CALLED_ON_NULL)
            .example("(ARRAY[1, 2])[2]", "2"));
  }
}
