package io.millrace.exec.expression;

import io.millrace.core.function.FunctionRegistry;
import io.millrace.core.plan.PhysicalExpression;
import io.millrace.core.type.DataType;
import io.millrace.exec.kernel.Kernels;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/** Compiles expressions to trees of evaluators over the kernels that the engine has. */
public final class KernelExpressionCompiler implements ExpressionCompiler {
  private final Kernels kernels;
  private final FunctionRegistry functions;

  /** For ServiceLoader: the kernels and built-in functions of the engine's class loader. */
  public KernelExpressionCompiler() {
    this(Kernels.discovered(), FunctionRegistry.builtIn());
  }

  KernelExpressionCompiler(Kernels kernels, FunctionRegistry functions) {
    this.kernels = kernels;
    this.functions = functions;
  }

  @Override
  public CompiledExpression compile(PhysicalExpression expression, BufferAllocator allocator) {
    return tree(List.of(expression), allocator);
  }

  @Override
  public CompiledProjection compileAll(
      List<PhysicalExpression> expressions, BufferAllocator allocator) {
    return tree(expressions, allocator);
  }

  @Override
  public CompiledPredicate compilePredicate(
      PhysicalExpression predicate, BufferAllocator allocator) {
    return tree(List.of(predicate), allocator);
  }

  private CompiledTree tree(List<PhysicalExpression> expressions, BufferAllocator allocator) {
    List<DataType> types = expressions.stream().map(PhysicalExpression::type).toList();
    return new TreeBuilder(kernels, functions, allocator).build(expressions, types);
  }
}
