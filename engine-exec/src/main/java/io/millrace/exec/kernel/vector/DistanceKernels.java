package io.millrace.exec.kernel.vector;

import io.millrace.core.spi.ScalarKernel;
import io.millrace.exec.kernel.ScalarKernelFamily;
import java.util.Optional;

/** Kernels of the distances and similarities of vectors. */
public final class DistanceKernels implements ScalarKernelFamily {

  @Override
  public Optional<ScalarKernel> scalar(BoundCall call) {
    return switch (call.function()) {
      case "l2_distance" -> Optional.of(new DistanceKernel(DistanceKernel.Metric.L2));
      case "cosine_distance" -> Optional.of(new DistanceKernel(DistanceKernel.Metric.COSINE));
      case "dot_product" -> Optional.of(new DistanceKernel(DistanceKernel.Metric.DOT));
      default -> Optional.empty();
    };
  }
}
