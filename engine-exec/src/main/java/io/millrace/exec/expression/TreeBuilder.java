package io.millrace.exec.expression;

import io.millrace.core.function.FunctionDefinition;
import io.millrace.core.function.FunctionRegistry;
import io.millrace.core.function.NullPolicy;
import io.millrace.core.function.Parameter;
import io.millrace.core.function.Volatility;
import io.millrace.core.plan.PhysicalExpression;
import io.millrace.core.spi.FunctionKernels.BoundCall;
import io.millrace.core.spi.ScalarKernel;
import io.millrace.core.type.DataType;
import io.millrace.exec.kernel.Kernels;
import io.millrace.exec.kernel.cast.CastKernels;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.arrow.memory.BufferAllocator;

/** Turns the expressions of one operator into evaluators; parts that stand twice become one. */
final class TreeBuilder {
  /** Conversions and set tests give null on null and never change their mind. */
  private static final CallEvaluator.Properties CONVERSION =
      new CallEvaluator.Properties(true, true);

  private final Kernels kernels;
  private final FunctionRegistry functions;
  private final BufferAllocator allocator;
  private final Map<PhysicalExpression, Integer> uses = new HashMap<>();
  private final Map<PhysicalExpression, SharedEvaluator> shared = new HashMap<>();

  TreeBuilder(Kernels kernels, FunctionRegistry functions, BufferAllocator allocator) {
    this.kernels = kernels;
    this.functions = functions;
    this.allocator = allocator;
  }

  CompiledTree build(List<PhysicalExpression> expressions, List<DataType> types) {
    expressions.forEach(this::countUses);
    List<Evaluator> roots = new ArrayList<>(expressions.size());
    try {
      for (PhysicalExpression expression : expressions) {
        roots.add(evaluator(expression));
      }
    } catch (RuntimeException | Error failure) {
      roots.forEach(Evaluator::close);
      shared.values().forEach(Evaluator::close);
      throw failure;
    }
    return new CompiledTree(types, roots, List.copyOf(shared.values()), allocator);
  }

  private void countUses(PhysicalExpression expression) {
    if (!isShareable(expression) || uses.merge(expression, 1, Integer::sum) == 1) {
      children(expression).forEach(this::countUses);
    }
  }

  private boolean isShareable(PhysicalExpression expression) {
    return switch (expression) {
      case PhysicalExpression.Input input -> false;
      case PhysicalExpression.Constant constant -> false;
      case PhysicalExpression.FieldAccess access -> false;
      case PhysicalExpression.Call call -> isImmutable(call);
      case PhysicalExpression.Cast cast -> isDeterministic(cast.input());
      case PhysicalExpression.Logical logical -> isDeterministic(logical);
      case PhysicalExpression.CaseWhen choice -> isDeterministic(choice);
      case PhysicalExpression.Coalesce choice -> isDeterministic(choice);
      case PhysicalExpression.InSet set -> isDeterministic(set);
    };
  }

  private boolean isImmutable(PhysicalExpression.Call call) {
    boolean immutable =
        functions
            .find(call.function())
            .map(definition -> definition.volatility() == Volatility.IMMUTABLE)
            .orElse(false);
    return immutable && call.arguments().stream().allMatch(this::isDeterministic);
  }

  private boolean isDeterministic(PhysicalExpression expression) {
    return expression instanceof PhysicalExpression.Call call
        ? isImmutable(call)
        : children(expression).stream().allMatch(this::isDeterministic);
  }

  private static List<PhysicalExpression> children(PhysicalExpression expression) {
    return switch (expression) {
      case PhysicalExpression.Input input -> List.of();
      case PhysicalExpression.Constant constant -> List.of();
      case PhysicalExpression.Call call -> call.arguments();
      case PhysicalExpression.Cast cast -> List.of(cast.input());
      case PhysicalExpression.Logical logical -> logical.arguments();
      case PhysicalExpression.CaseWhen choice -> {
        List<PhysicalExpression> all = new ArrayList<>();
        choice
            .branches()
            .forEach(branch -> all.addAll(List.of(branch.condition(), branch.value())));
        choice.otherwise().ifPresent(all::add);
        yield all;
      }
      case PhysicalExpression.Coalesce choice -> choice.arguments();
      case PhysicalExpression.InSet set -> List.of(set.value());
      case PhysicalExpression.FieldAccess access -> List.of(access.input());
    };
  }

  private Evaluator evaluator(PhysicalExpression expression) {
    if (uses.getOrDefault(expression, 0) < 2) {
      return plain(expression);
    }
    SharedEvaluator known = shared.get(expression);
    if (known == null) {
      known = new SharedEvaluator(plain(expression));
      shared.put(expression, known);
    }
    return known;
  }

  private Evaluator plain(PhysicalExpression expression) {
    return switch (expression) {
      case PhysicalExpression.Input input -> new InputEvaluator(input.index());
      case PhysicalExpression.Constant constant ->
          new ConstantNode(constant.value(), constant.type(), allocator);
      case PhysicalExpression.Call call -> call(call);
      case PhysicalExpression.Cast cast -> cast(cast);
      case PhysicalExpression.Logical logical ->
          new LogicalEvaluator(logical.conjunction(), all(logical.arguments()));
      case PhysicalExpression.CaseWhen choice -> choice(choice);
      case PhysicalExpression.Coalesce choice ->
          new CoalesceEvaluator(choice.type(), all(choice.arguments()));
      case PhysicalExpression.InSet set -> membership(set);
      case PhysicalExpression.FieldAccess access ->
          new FieldEvaluator(evaluator(access.input()), access.index());
    };
  }

  /** The evaluators of a list; those made are closed when a later one fails. */
  private List<Evaluator> all(List<PhysicalExpression> expressions) {
    List<Evaluator> made = new ArrayList<>(expressions.size());
    try {
      for (PhysicalExpression expression : expressions) {
        made.add(evaluator(expression));
      }
      return made;
    } catch (RuntimeException | Error failure) {
      made.forEach(Evaluator::close);
      throw failure;
    }
  }

  private Evaluator call(PhysicalExpression.Call call) {
    switch (call.function()) {
      case "and", "or" -> {
        return new LogicalEvaluator(call.function().equals("and"), all(call.arguments()));
      }
      case "coalesce" -> {
        return new CoalesceEvaluator(call.type(), all(call.arguments()));
      }
      default -> {}
    }
    FunctionDefinition definition = functions.require(call.function());
    BoundCall bound =
        new BoundCall(
            definition.name(),
            call.arguments().stream().map(PhysicalExpression::type).toList(),
            call.arguments().stream().map(TreeBuilder::constant).toList(),
            call.type());
    CallEvaluator.Properties properties =
        new CallEvaluator.Properties(
            definition.nullPolicy() == NullPolicy.NULL_ON_NULL,
            definition.volatility() == Volatility.IMMUTABLE);
    boolean alwaysNull =
        properties.nullOnNull()
            && bound.arguments().stream().anyMatch(type -> type instanceof DataType.Null);
    if (alwaysNull) {
      return new ConstantNode(null, call.type(), allocator);
    }
    ScalarKernel kernel = kernels.scalar(bound);
    try {
      return new CallEvaluator(call.type(), all(call.arguments()), kernel, properties);
    } catch (RuntimeException | Error failure) {
      kernel.close();
      throw failure;
    }
  }

  private static Optional<Object> constant(PhysicalExpression expression) {
    return expression instanceof PhysicalExpression.Constant constant
        ? Optional.of(constant.value() == null ? Parameter.NULL : constant.value())
        : Optional.empty();
  }

  private Evaluator cast(PhysicalExpression.Cast cast) {
    DataType from = cast.input().type();
    return unary(cast.input(), cast.type(), () -> CastKernels.of(from, cast.type(), cast.safe()));
  }

  private Evaluator membership(PhysicalExpression.InSet set) {
    return unary(set.value(), DataType.BOOLEAN, () -> InSetKernel.of(set, allocator));
  }

  /** A node that gives null on null; closes its input when the kernel cannot be made. */
  private Evaluator unary(
      PhysicalExpression input, DataType type, Supplier<ScalarKernel> kernelMaker) {
    List<Evaluator> inputs = all(List.of(input));
    try {
      return new CallEvaluator(type, inputs, kernelMaker.get(), CONVERSION);
    } catch (RuntimeException | Error failure) {
      inputs.forEach(Evaluator::close);
      throw failure;
    }
  }

  private Evaluator choice(PhysicalExpression.CaseWhen choice) {
    List<PhysicalExpression> parts = children(choice);
    List<Evaluator> made = all(parts);
    int branches = choice.branches().size();
    List<Evaluator> conditions = new ArrayList<>(branches);
    List<Evaluator> values = new ArrayList<>(branches);
    for (int index = 0; index < branches; index++) {
      conditions.add(made.get(2 * index));
      values.add(made.get(2 * index + 1));
    }
    Evaluator otherwise = choice.otherwise().isPresent() ? made.getLast() : null;
    return new CaseEvaluator(choice.type(), conditions, values, otherwise);
  }
}
