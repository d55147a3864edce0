package io.millrace.exec.kernel.logic;

import io.millrace.core.spi.ScalarKernel;
import io.millrace.exec.kernel.ScalarKernelFamily;
import java.util.Optional;

/**
 * Kernels of tests for null and truth. {@code and}, {@code or} and {@code coalesce} have none: the
 * expression compiler evaluates their arguments only where they are needed.
 */
public final class TruthKernels implements ScalarKernelFamily {

  @Override
  public Optional<ScalarKernel> scalar(BoundCall call) {
    return switch (call.function()) {
      case "not" -> Optional.of(new NotKernel());
      case "is_null" -> Optional.of(new NullTest(true));
      case "is_not_null" -> Optional.of(new NullTest(false));
      case "is_true" -> Optional.of(new TruthTest(true, true));
      case "is_not_true" -> Optional.of(new TruthTest(true, false));
      case "is_false" -> Optional.of(new TruthTest(false, true));
      case "is_not_false" -> Optional.of(new TruthTest(false, false));
      case "nullif" ->
          Optional.of(
              new NullIfKernel(
                  ComparisonKernels.comparison(
                      Relation.EQUAL, call.arguments().get(0), call.arguments().get(1)),
                  call.result()));
      default -> Optional.empty();
    };
  }
}
