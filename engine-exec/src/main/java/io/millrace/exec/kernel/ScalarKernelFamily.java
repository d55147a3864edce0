package io.millrace.exec.kernel;

import io.millrace.core.spi.AggregateKernel;
import io.millrace.core.spi.FunctionKernels;
import java.util.Optional;

/** Kernels of scalar functions only. */
public interface ScalarKernelFamily extends FunctionKernels {
  @Override
  default Optional<AggregateKernel> aggregate(BoundCall call) {
    return Optional.empty();
  }
}
