package io.millrace.core.spi;

import io.millrace.core.type.DataType;
import java.util.List;
import java.util.Optional;

/** Binds kernels to functions; found by ServiceLoader. Exactly one provider answers for each. */
public interface FunctionKernels {

  /**
   * A call to bind.
   *
   * @param constants value of each argument that is a constant ({@code Optional.of(NULL_CONSTANT)}
   *     for NULL), empty for the others
   */
  record BoundCall(
      String function,
      List<DataType> arguments,
      List<Optional<Object>> constants,
      DataType result) {
    public BoundCall {
      arguments = List.copyOf(arguments);
      constants = List.copyOf(constants);
    }
  }

  /** A kernel for a scalar function; a new one for each operator instance. Empty: not ours. */
  Optional<ScalarKernel> scalar(BoundCall call);

  /** Empty: not ours. */
  Optional<AggregateKernel> aggregate(BoundCall call);
}
