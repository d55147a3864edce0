package io.millrace.exec.operator.transform;

import io.millrace.core.batch.Batch;
import io.millrace.core.batch.ColumnVector;
import io.millrace.core.plan.PhysicalExpression;
import io.millrace.core.spi.Step;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Schema;
import io.millrace.exec.expression.CompiledProjection;
import io.millrace.exec.expression.ExpressionCompiler;
import io.millrace.exec.pipeline.Operator;
import io.millrace.exec.pipeline.OperatorContext;
import java.util.List;

/**
 * Computes each output column. When an output may be much larger than its input (images, tensors,
 * bytes), a batch is worked off in slices sized by what the rows before took.
 */
public final class ProjectOperator implements Operator {
  /** Rows of the first slice of an expanding projection: 64 photos of 1 MB are 64 MB. */
  private static final int FIRST_SLICE_ROWS = 64;

  private final Schema schema;
  private final List<PhysicalExpression> expressions;
  private final ExpressionCompiler compiler;
  private final boolean expands;
  private OperatorContext context;
  private CompiledProjection compiled;
  private Batch pending;
  private int position;
  private int sliceRows = FIRST_SLICE_ROWS;
  private boolean inputEnded;

  public ProjectOperator(
      Schema schema, List<PhysicalExpression> expressions, ExpressionCompiler compiler) {
    this.schema = schema;
    this.expressions = expressions;
    this.compiler = compiler;
    this.expands = expressions.stream().anyMatch(ProjectOperator::expands);
  }

  private static boolean expands(PhysicalExpression expression) {
    return switch (expression) {
      case PhysicalExpression.Input input -> false;
      case PhysicalExpression.Constant constant -> false;
      default -> isHeavy(expression.type());
    };
  }

  private static boolean isHeavy(DataType type) {
    return switch (type) {
      case DataType.Binary binary -> true;
      case DataType.Image image -> true;
      case DataType.FixedShapeImage image -> true;
      case DataType.Tensor tensor -> true;
      case DataType.FixedShapeTensor tensor -> true;
      case DataType.SparseTensor tensor -> true;
      case DataType.ListOf list -> true;
      case DataType.FixedList list -> true;
      case DataType.Embedding embedding -> true;
      case DataType.Struct struct ->
          struct.fields().stream().anyMatch(field -> isHeavy(field.type()));
      default -> false;
    };
  }

  @Override
  public Schema outputSchema() {
    return schema;
  }

  @Override
  public void open(OperatorContext operatorContext) {
    context = operatorContext;
    compiled = compiler.compileAll(expressions, context.allocator());
  }

  @Override
  public void addInput(Batch input) {
    pending = input;
    position = 0;
  }

  @Override
  public void noMoreInput() {
    inputEnded = true;
  }

  @Override
  public Step advance() {
    if (pending == null) {
      return inputEnded ? Step.FINISHED : Step.NEED_INPUT;
    }
    int rows = pending.rowCount() - position;
    if (!expands || rows <= sliceRows && position == 0) {
      Batch whole = pending;
      pending = null;
      return new Step.Output(measured(project(whole)));
    }
    int count = Math.min(rows, sliceRows);
    Batch slice = pending.slice(position, count);
    position += count;
    if (position >= pending.rowCount()) {
      pending.close();
      pending = null;
    }
    return new Step.Output(measured(project(slice)));
  }

  /** Consumes the batch. */
  private Batch project(Batch batch) {
    List<ColumnVector> columns;
    try {
      columns = compiled.evaluateAll(batch);
    } catch (RuntimeException | Error failure) {
      batch.close();
      throw failure;
    }
    return batch.withColumns(schema, columns);
  }

  private Batch measured(Batch batch) {
    if (expands && batch.rowCount() > 0) {
      sliceRows = context.rowsPerBatch(batch.retainedBytes() / batch.rowCount());
    }
    return batch;
  }

  @Override
  public void close() {
    if (pending != null) {
      pending.close();
      pending = null;
    }
    if (compiled != null) {
      compiled.close();
      compiled = null;
    }
  }
}
