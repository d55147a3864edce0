package io.millrace.exec.expression;

import io.millrace.core.batch.ColumnVector;
import io.millrace.core.function.FunctionRegistry;
import io.millrace.core.plan.PhysicalExpression;
import io.millrace.core.spi.ConstantEvaluator;
import io.millrace.exec.kernel.Kernels;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;

/** Evaluates expressions without inputs with the kernels that queries use. Thread-safe. */
public final class FoldingEvaluator implements ConstantEvaluator {
  /** A constant of a query text is small; a function that makes it huge is left to run time. */
  private static final long LIMIT_BYTES = 64L << 20;

  private final Kernels kernels = Kernels.discovered();
  private final FunctionRegistry functions = FunctionRegistry.builtIn();

  /** For ServiceLoader. */
  public FoldingEvaluator() {}

  @Override
  public Object evaluate(PhysicalExpression expression) {
    try (BufferAllocator allocator = new RootAllocator(LIMIT_BYTES);
        CompiledTree tree =
            new TreeBuilder(kernels, functions, allocator)
                .build(List.of(expression), List.of(expression.type()));
        ColumnVector value = tree.evaluateOnce()) {
      return value.valueAt(0);
    }
  }
}
