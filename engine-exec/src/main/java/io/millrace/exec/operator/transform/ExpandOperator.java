package io.millrace.exec.operator.transform;

import io.millrace.core.batch.Batch;
import io.millrace.core.batch.ColumnVector;
import io.millrace.core.plan.PhysicalPlan;
import io.millrace.core.spi.Step;
import io.millrace.core.type.Schema;
import io.millrace.exec.expression.CompiledProjection;
import io.millrace.exec.expression.ExpressionCompiler;
import io.millrace.exec.pipeline.Operator;
import io.millrace.exec.pipeline.OperatorContext;
import java.util.ArrayList;
import java.util.List;

/** Gives each batch once per projection; columns that pass through are shared, not copied. */
public final class ExpandOperator implements Operator {
  private final PhysicalPlan.Expand plan;
  private final ExpressionCompiler compiler;
  private final List<CompiledProjection> compiled = new ArrayList<>();
  private Batch pending;
  private int next;
  private boolean inputEnded;

  public ExpandOperator(PhysicalPlan.Expand plan, ExpressionCompiler compiler) {
    this.plan = plan;
    this.compiler = compiler;
  }

  @Override
  public Schema outputSchema() {
    return plan.outputSchema();
  }

  @Override
  public void open(OperatorContext context) {
    plan.projections()
        .forEach(projection -> compiled.add(compiler.compileAll(projection, context.allocator())));
  }

  @Override
  public void addInput(Batch input) {
    pending = input;
    next = 0;
  }

  @Override
  public void noMoreInput() {
    inputEnded = true;
  }

  @Override
  public Step advance() {
    if (pending == null || compiled.isEmpty()) {
      close(pending);
      pending = null;
      return inputEnded ? Step.FINISHED : Step.NEED_INPUT;
    }
    CompiledProjection projection = compiled.get(next++);
    boolean last = next == compiled.size();
    Batch batch = last ? pending : pending.share();
    pending = last ? null : pending;
    List<ColumnVector> columns;
    try {
      columns = projection.evaluateAll(batch);
    } catch (RuntimeException | Error failure) {
      batch.close();
      throw failure;
    }
    return new Step.Output(batch.withColumns(plan.outputSchema(), columns));
  }

  private static void close(Batch batch) {
    if (batch != null) {
      batch.close();
    }
  }

  @Override
  public void close() {
    close(pending);
    pending = null;
    compiled.forEach(CompiledProjection::close);
    compiled.clear();
  }
}
