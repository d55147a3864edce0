package io.millrace.exec.expression;

import io.millrace.core.batch.ColumnVector;
import io.millrace.core.spi.RowSet;

/** A column of the batch. */
record InputEvaluator(int index) implements Evaluator {
  @Override
  public ColumnVector evaluate(Evaluation evaluation, RowSet rows) {
    return evaluation.columns().get(index).retain();
  }

  @Override
  public int select(Evaluation evaluation, RowSet rows, int[] target) {
    return Truths.select(evaluation.columns().get(index), rows, target);
  }
}
