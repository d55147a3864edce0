package io.millrace.core.function;

import io.millrace.core.type.DataType;
import java.util.List;
import java.util.Optional;

/**
 * The type of a call's result.
 *
 * @see Signature
 */
@FunctionalInterface
public interface ResultType {

  /**
   * @param arguments types after implicit casts, one per argument
   * @param constants the value of each argument that is a constant, empty for the others and for
   *     NULL; lets {@code resize(image, 224, 224)} have a fixed shape
   * @throws io.millrace.core.error.MillraceException TYPE_MISMATCH or INVALID_ARGUMENT
   */
  DataType of(List<DataType> arguments, List<Optional<Object>> constants);

  static ResultType always(DataType type) {
    return (arguments, constants) -> type;
  }

  /** The type of the argument at this position. */
  static ResultType argument(int index) {
    return (arguments, constants) -> arguments.get(index);
  }
}
