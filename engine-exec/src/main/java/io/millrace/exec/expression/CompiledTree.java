package io.millrace.exec.expression;

import io.millrace.core.batch.Batch;
import io.millrace.core.batch.ColumnVector;
import io.millrace.core.spi.RowSet;
import io.millrace.core.type.DataType;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/** Compiled expressions over the same input, with the parts that they share. */
final class CompiledTree implements CompiledExpression, CompiledPredicate, CompiledProjection {
  private final List<DataType> types;
  private final List<Evaluator> roots;
  private final List<SharedEvaluator> shared;
  private final BufferAllocator allocator;

  CompiledTree(
      List<DataType> types,
      List<Evaluator> roots,
      List<SharedEvaluator> shared,
      BufferAllocator allocator) {
    this.types = types;
    this.roots = roots;
    this.shared = shared;
    this.allocator = allocator;
  }

  @Override
  public DataType type() {
    return types.get(0);
  }

  @Override
  public List<DataType> types() {
    return types;
  }

  private static RowSet rows(Batch batch) {
    return batch.hasSelection()
        ? RowSet.of(batch.physicalRowCount(), batch.selection(), batch.rowCount())
        : RowSet.all(batch.physicalRowCount());
  }

  private Evaluation evaluation(Batch batch) {
    return new Evaluation(batch.columns(), batch.physicalRowCount(), allocator);
  }

  @Override
  public ColumnVector evaluate(Batch batch) {
    try {
      return roots.get(0).evaluate(evaluation(batch), rows(batch));
    } finally {
      shared.forEach(SharedEvaluator::forget);
    }
  }

  /** The value of an expression without inputs, as a column of one row owned by the caller. */
  ColumnVector evaluateOnce() {
    try {
      return roots.get(0).evaluate(new Evaluation(List.of(), 1, allocator), RowSet.all(1));
    } finally {
      shared.forEach(SharedEvaluator::forget);
    }
  }

  @Override
  public List<ColumnVector> evaluateAll(Batch batch) {
    Evaluation evaluation = evaluation(batch);
    RowSet rows = rows(batch);
    List<ColumnVector> columns = new ArrayList<>(roots.size());
    try {
      for (Evaluator root : roots) {
        columns.add(root.evaluate(evaluation, rows));
      }
      return columns;
    } catch (RuntimeException | Error failure) {
      columns.forEach(ColumnVector::close);
      throw failure;
    } finally {
      shared.forEach(SharedEvaluator::forget);
    }
  }

  @Override
  public int select(Batch batch, int[] rows) {
    try {
      return roots.get(0).select(evaluation(batch), rows(batch), rows);
    } finally {
      shared.forEach(SharedEvaluator::forget);
    }
  }

  @Override
  public void close() {
    roots.forEach(Evaluator::close);
  }
}
