package io.millrace.exec.kernel;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.spi.AggregateKernel;
import io.millrace.core.spi.FunctionKernels;
import io.millrace.core.spi.FunctionKernels.BoundCall;
import io.millrace.core.spi.ScalarKernel;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * All kernels that the engine's class loader offers. Immutable; safe for use by several threads.
 */
public final class Kernels {
  private final List<FunctionKernels> families;

  public Kernels(List<FunctionKernels> families) {
    this.families = List.copyOf(families);
  }

  /** The families found by ServiceLoader. */
  public static Kernels discovered() {
    return new Kernels(
        ServiceLoader.load(FunctionKernels.class, Kernels.class.getClassLoader()).stream()
            .map(ServiceLoader.Provider::get)
            .toList());
  }

  /**
   * A new kernel for a scalar call.
   *
   * @throws MillraceException UNKNOWN_FUNCTION when no family has one
   */
  public ScalarKernel scalar(BoundCall call) {
    for (FunctionKernels family : families) {
      Optional<ScalarKernel> kernel = family.scalar(call);
      if (kernel.isPresent()) {
        return kernel.get();
      }
    }
    throw missing(call);
  }

  /**
   * The kernel for an aggregate call.
   *
   * @throws MillraceException UNKNOWN_FUNCTION when no family has one
   */
  public AggregateKernel aggregate(BoundCall call) {
    for (FunctionKernels family : families) {
      Optional<AggregateKernel> kernel = family.aggregate(call);
      if (kernel.isPresent()) {
        return kernel.get();
      }
    }
    throw missing(call);
  }

  private static MillraceException missing(BoundCall call) {
    return new MillraceException(
        ErrorCode.UNKNOWN_FUNCTION,
        "No kernel for these argument types; add the artifact that has it or cast the arguments: "
            + call.function()
            + call.arguments());
  }
}
