package io.millrace.exec.operator.transform;

import io.millrace.core.batch.Batch;
import io.millrace.core.plan.PhysicalExpression;
import io.millrace.core.spi.Step;
import io.millrace.core.type.Schema;
import io.millrace.exec.expression.CompiledPredicate;
import io.millrace.exec.expression.ExpressionCompiler;
import io.millrace.exec.pipeline.Operator;
import io.millrace.exec.pipeline.OperatorContext;

/** Keeps the rows for which a predicate is true, by selection: no value is copied. */
public final class FilterOperator implements Operator {
  private final Schema schema;
  private final PhysicalExpression predicate;
  private final ExpressionCompiler expressions;
  private CompiledPredicate compiled;
  private Batch pending;
  private boolean inputEnded;

  public FilterOperator(
      Schema schema, PhysicalExpression predicate, ExpressionCompiler expressions) {
    this.schema = schema;
    this.predicate = predicate;
    this.expressions = expressions;
  }

  @Override
  public Schema outputSchema() {
    return schema;
  }

  @Override
  public void open(OperatorContext context) {
    compiled = expressions.compilePredicate(predicate, context.allocator());
  }

  @Override
  public void addInput(Batch input) {
    pending = input;
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
    int[] rows = new int[pending.rowCount()];
    int count = compiled.select(pending, rows);
    Batch batch = pending;
    pending = null;
    if (count == 0) {
      batch.close();
      return inputEnded ? Step.FINISHED : Step.NEED_INPUT;
    }
    return new Step.Output(count == batch.rowCount() ? batch : batch.withSelection(rows, count));
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
