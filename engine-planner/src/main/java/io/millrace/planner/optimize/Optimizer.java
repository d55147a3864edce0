package io.millrace.planner.optimize;

import io.millrace.core.config.Configuration;
import io.millrace.core.spi.ConstantEvaluator;
import io.millrace.planner.logical.FunctionBinding;
import java.util.Optional;
import org.apache.calcite.rel.RelNode;

/** Takes a logical plan through the rewrites; so far it gives it back as it is. */
public final class Optimizer {
  public Optimizer(
      FunctionBinding binding,
      Configuration configuration,
      Optional<ConstantEvaluator> evaluator) {}

  public RelNode optimize(RelNode logical) {
    return logical;
  }
}
