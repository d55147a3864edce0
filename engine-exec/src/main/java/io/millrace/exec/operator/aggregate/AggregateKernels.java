package io.millrace.exec.operator.aggregate;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.plan.AggregateCall;
import io.millrace.core.spi.AggregateKernel;
import io.millrace.core.spi.FunctionKernels;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

/** Finds the kernels of aggregate functions. Immutable. */
public final class AggregateKernels {
  private final List<FunctionKernels> providers;

  public AggregateKernels(List<FunctionKernels> providers) {
    this.providers = List.copyOf(providers);
  }

  /** All providers found with the engine's class loader. */
  public static AggregateKernels discovered() {
    List<FunctionKernels> found = new ArrayList<>();
    ServiceLoader.load(FunctionKernels.class, FunctionKernels.class.getClassLoader())
        .forEach(found::add);
    return new AggregateKernels(found);
  }

  /**
   * @throws MillraceException UNKNOWN_FUNCTION when no provider has a kernel
   */
  public AggregateKernel bind(AggregateCall call) {
    FunctionKernels.BoundCall bound =
        new FunctionKernels.BoundCall(
            call.function(),
            call.argumentTypes(),
            Collections.nCopies(call.argumentTypes().size(), Optional.empty()),
            call.resultType());
    return providers.stream()
        .flatMap(provider -> provider.aggregate(bound).stream())
        .findFirst()
        .orElseThrow(
            () ->
                new MillraceException(
                    ErrorCode.UNKNOWN_FUNCTION,
                    "No kernel is there for this aggregate: "
                        + call.function()
                        + call.argumentTypes()));
  }
}
