package io.millrace.exec.expression;

import io.millrace.core.plan.PhysicalExpression;
import java.util.List;
import java.util.ServiceLoader;
import org.apache.arrow.memory.BufferAllocator;

/** Makes expressions ready to run; found by ServiceLoader. Safe for use by several threads. */
public interface ExpressionCompiler {

  /**
   * Makes an expression ready; every driver compiles its own.
   *
   * @param allocator for results and scratch memory
   * @throws io.millrace.core.error.MillraceException UNKNOWN_FUNCTION or TYPE_MISMATCH when a call
   *     has no kernel
   */
  CompiledExpression compile(PhysicalExpression expression, BufferAllocator allocator);

  /** The same for several expressions over one input, which share their common parts. */
  CompiledProjection compileAll(List<PhysicalExpression> expressions, BufferAllocator allocator);

  /** The same for an expression of type boolean. */
  CompiledPredicate compilePredicate(PhysicalExpression predicate, BufferAllocator allocator);

  /** The engine's compiler. */
  static ExpressionCompiler discovered() {
    return ServiceLoader.load(ExpressionCompiler.class, ExpressionCompiler.class.getClassLoader())
        .findFirst()
        .orElseThrow(
            () -> new IllegalStateException("No expression compiler is on the class path"));
  }
}
