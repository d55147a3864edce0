package io.millrace.exec.expression;

import io.millrace.core.batch.ColumnVector;
import io.millrace.core.spi.RowSet;
import java.util.Arrays;

/**
 * A sub-expression that stands in several places of a tree: computed once per batch. When a later
 * place needs rows that an earlier one did not, it is computed anew.
 */
final class SharedEvaluator implements Evaluator {
  private final Evaluator evaluator;
  private ColumnVector result;
  private boolean coversAll;
  private boolean[] covered = new boolean[0];
  private boolean closed;

  SharedEvaluator(Evaluator evaluator) {
    this.evaluator = evaluator;
  }

  @Override
  public ColumnVector evaluate(Evaluation evaluation, RowSet rows) {
    if (result == null || !covers(rows)) {
      ColumnVector fresh = evaluator.evaluate(evaluation, rows);
      forget();
      result = fresh;
      remember(rows);
    }
    return result.retain();
  }

  private boolean covers(RowSet rows) {
    if (coversAll) {
      return true;
    }
    for (int position = 0; position < rows.count(); position++) {
      if (!covered[rows.row(position)]) {
        return false;
      }
    }
    return true;
  }

  private void remember(RowSet rows) {
    coversAll = rows.isAll();
    if (coversAll) {
      return;
    }
    if (covered.length < rows.length()) {
      covered = new boolean[rows.length()];
    } else {
      Arrays.fill(covered, false);
    }
    for (int position = 0; position < rows.count(); position++) {
      covered[rows.row(position)] = true;
    }
  }

  /** Drops the result; called after each batch, also when it failed. */
  void forget() {
    if (result != null) {
      result.close();
      result = null;
    }
  }

  @Override
  public void close() {
    forget();
    if (!closed) {
      closed = true;
      evaluator.close();
    }
  }
}
