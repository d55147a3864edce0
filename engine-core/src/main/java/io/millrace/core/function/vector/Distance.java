package io.millrace.core.function.vector;

import io.millrace.core.function.FunctionDefinition;
import io.millrace.core.function.FunctionFamily;
import io.millrace.core.function.Parameter;
import io.millrace.core.function.ResultType;
import io.millrace.core.function.Signature;
import io.millrace.core.function.TypePattern;
import io.millrace.core.type.DataType;
import java.util.List;
import java.util.Optional;

/**
 * Distances and similarities of vectors; different lengths are an error, a null element is one too.
 */
public final class Distance implements FunctionFamily {
  /** Embeddings and lists of float32 or float64 as they are; other lists of numbers as float64. */
  public static final TypePattern VECTOR =
      new TypePattern() {
        @Override
        public Optional<DataType> accept(DataType argument) {
          return switch (argument) {
            case DataType.Embedding embedding -> Optional.of(embedding);
            case DataType.FixedList list when isFloat(list.element().type()) -> Optional.of(list);
            case DataType.ListOf list when isFloat(list.element().type()) -> Optional.of(list);
            case DataType.FixedList list when list.element().type().isNumeric() ->
                Optional.of(DataType.list(DataType.FLOAT64));
            case DataType.ListOf list when list.element().type().isNumeric() ->
                Optional.of(DataType.list(DataType.FLOAT64));
            case DataType.Null ignored -> Optional.of(DataType.list(DataType.FLOAT64));
            default -> Optional.empty();
          };
        }

        @Override
        public String description() {
          return "vector";
        }
      };

  private static final Signature PAIR =
      Signature.of(
          ResultType.always(DataType.FLOAT64),
          Parameter.of("left", VECTOR),
          Parameter.of("right", VECTOR));

  private static boolean isFloat(DataType type) {
    return type instanceof DataType.Float number && number.bits() >= 32;
  }

  @Override
  public String name() {
    return "vector";
  }

  @Override
  public List<FunctionDefinition> definitions() {
    return List.of(
        FunctionDefinition.scalar(
                "l2_distance", "The root of the sum of squared differences.", PAIR)
            .alias("euclidean_distance")
            .example("L2_DISTANCE(ARRAY[0, 0], ARRAY[3, 4])", "5.0"),
        FunctionDefinition.scalar(
                "cosine_distance", "One minus the cosine; NaN for a vector of zeros.", PAIR)
            .example("COSINE_DISTANCE(ARRAY[1, 0], ARRAY[0, 1])", "1.0"),
        FunctionDefinition.scalar(
                "dot_product", "The sum of products: a similarity, order it DESC.", PAIR)
            .example("DOT_PRODUCT(ARRAY[1, 2], ARRAY[3, 4])", "11.0"));
  }
}
