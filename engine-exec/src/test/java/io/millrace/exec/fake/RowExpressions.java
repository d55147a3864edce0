package io.millrace.exec.fake;

import io.millrace.core.batch.Batch;
import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.VectorBuilder;
import io.millrace.core.plan.PhysicalExpression;
import io.millrace.core.type.DataType;
import io.millrace.exec.expression.CompiledExpression;
import io.millrace.exec.expression.CompiledPredicate;
import io.millrace.exec.expression.CompiledProjection;
import io.millrace.exec.expression.ExpressionCompiler;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Evaluates expressions row by row over Java values. Knows {@code less}, {@code equal} and {@code
 * plus} over integers, and {@code fail}, which always throws.
 */
public final class RowExpressions implements ExpressionCompiler {

  public static PhysicalExpression call(
      String function, DataType type, PhysicalExpression... arguments) {
    return new PhysicalExpression.Call(function, List.of(arguments), type);
  }

  public static PhysicalExpression input(int index, DataType type) {
    return new PhysicalExpression.Input(index, type);
  }

  public static PhysicalExpression constant(Object value, DataType type) {
    return new PhysicalExpression.Constant(value, type);
  }

  @Override
  public CompiledExpression compile(PhysicalExpression expression, BufferAllocator allocator) {
    return new CompiledExpression() {
      @Override
      public DataType type() {
        return expression.type();
      }

      @Override
      public ColumnVector evaluate(Batch batch) {
        if (expression instanceof PhysicalExpression.Input input) {
          return batch.column(input.index()).retain();
        }
        boolean[] selected = new boolean[batch.physicalRowCount()];
        for (int row = 0; row < batch.rowCount(); row++) {
          selected[batch.physicalRow(row)] = true;
        }
        try (VectorBuilder builder = new VectorBuilder(expression.type(), allocator)) {
          for (int row = 0; row < selected.length; row++) {
            builder.appendValue(selected[row] ? value(expression, batch, row) : null);
          }
          return builder.finish();
        }
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public CompiledProjection compileAll(
      List<PhysicalExpression> expressions, BufferAllocator allocator) {
    List<CompiledExpression> compiled =
        expressions.stream().map(expression -> compile(expression, allocator)).toList();
    return new CompiledProjection() {
      @Override
      public List<DataType> types() {
        return compiled.stream().map(CompiledExpression::type).toList();
      }

      @Override
      public List<ColumnVector> evaluateAll(Batch batch) {
        List<ColumnVector> columns = new ArrayList<>();
        try {
          compiled.forEach(expression -> columns.add(expression.evaluate(batch)));
        } catch (RuntimeException | Error failure) {
          columns.forEach(ColumnVector::close);
          throw failure;
        }
        return columns;
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public CompiledPredicate compilePredicate(
      PhysicalExpression predicate, BufferAllocator allocator) {
    return new CompiledPredicate() {
      @Override
      public int select(Batch batch, int[] rows) {
        int count = 0;
        for (int row = 0; row < batch.rowCount(); row++) {
          int physical = batch.physicalRow(row);
          if (Boolean.TRUE.equals(value(predicate, batch, physical))) {
            rows[count++] = physical;
          }
        }
        return count;
      }

      @Override
      public void close() {}
    };
  }

  private static Object value(PhysicalExpression expression, Batch batch, int physicalRow) {
    return switch (expression) {
      case PhysicalExpression.Input input -> batch.column(input.index()).valueAt(physicalRow);
      case PhysicalExpression.Constant constant -> constant.value();
      case PhysicalExpression.Call call -> {
        Object left = value(call.arguments().get(0), batch, physicalRow);
        Object right = value(call.arguments().get(1), batch, physicalRow);
        yield apply(call.function(), left, right);
      }
      default -> throw new UnsupportedOperationException(expression.toString());
    };
  }

  /** The functions over Java values, null giving null; for expected results too. */
  public static Object apply(String function, Object left, Object right) {
    if (left == null || right == null) {
      return null;
    }
    BiFunction<Long, Long, Object> code =
        switch (function) {
          case "less" -> (l, r) -> l < r;
          case "equal" -> Long::equals;
          case "plus" -> Long::sum;
          default -> throw new IllegalStateException("broken row");
        };
    return code.apply(((Number) left).longValue(), ((Number) right).longValue());
  }
}
