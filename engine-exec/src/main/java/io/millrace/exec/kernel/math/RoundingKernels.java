package io.millrace.exec.kernel.math;

import io.millrace.core.spi.ScalarKernel;
import io.millrace.exec.kernel.ScalarKernelFamily;
import java.util.Optional;

/** Kernels of absolute value, sign and rounding. */
public final class RoundingKernels implements ScalarKernelFamily {

  @Override
  public Optional<ScalarKernel> scalar(BoundCall call) {
    return switch (call.function()) {
      case "abs" -> Optional.of(Signs.of(Signs.Change.ABSOLUTE, call.result()));
      case "sign" -> Optional.of(Signs.of(Signs.Change.SIGN, call.result()));
      case "ceil" -> rounding(Rounding.CEILING, call);
      case "floor" -> rounding(Rounding.FLOOR, call);
      case "round" -> rounding(Rounding.HALF_AWAY, call);
      case "trunc" -> rounding(Rounding.TOWARDS_ZERO, call);
      default -> Optional.empty();
    };
  }

  private static Optional<ScalarKernel> rounding(Rounding rounding, BoundCall call) {
    return Optional.of(
        rounding.kernel(call.arguments().get(0), call.result(), call.arguments().size() > 1));
  }
}
