package io.millrace.exec.kernel.list;

import io.millrace.core.spi.ScalarKernel;
import io.millrace.exec.kernel.ScalarKernelFamily;
import java.util.Optional;

/** Kernels of the list functions. */
public final class ListKernels implements ScalarKernelFamily {

  @Override
  public Optional<ScalarKernel> scalar(BoundCall call) {
    return switch (call.function()) {
      case "array" -> Optional.of(new ArrayKernel(call.result()));
      case "cardinality" -> Optional.of(new CardinalityKernel());
      case "element_at" -> Optional.of(new ElementKernel(call.result()));
      default -> Optional.empty();
    };
  }
}
