package io.millrace.exec.expression;

import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.ConstantVector;
import io.millrace.core.spi.RowSet;
import io.millrace.core.type.DataType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** CASE: each condition sees the rows that no earlier one took, each value the rows it took. */
final class CaseEvaluator implements Evaluator {
  private final DataType type;
  private final List<Evaluator> conditions;
  private final List<Evaluator> values;
  private final Evaluator otherwise;

  /**
   * @param otherwise null when there is none
   */
  CaseEvaluator(
      DataType type, List<Evaluator> conditions, List<Evaluator> values, Evaluator otherwise) {
    this.type = type;
    this.conditions = conditions;
    this.values = values;
    this.otherwise = otherwise;
  }

  @Override
  public ColumnVector evaluate(Evaluation evaluation, RowSet rows) {
    List<RowMerge> parts = new ArrayList<>(conditions.size() + 1);
    try {
      RowSet open = rows;
      for (int index = 0; index < conditions.size() && open.count() > 0; index++) {
        int[] taken = new int[open.count()];
        int count = conditions.get(index).select(evaluation, open, taken);
        if (count > 0) {
          RowSet part = RowSet.of(rows.length(), Arrays.copyOf(taken, count), count);
          parts.add(new RowMerge(values.get(index).evaluate(evaluation, part), part));
          open = without(open, part);
        }
      }
      if (open.count() > 0 && otherwise != null) {
        parts.add(new RowMerge(otherwise.evaluate(evaluation, open), open));
      }
      if (parts.isEmpty()) {
        return ConstantVector.ofNull(type, rows.length(), evaluation.allocator());
      }
      if (parts.size() == 1
          && parts.get(0).rows().count() == rows.count()
          && parts.get(0).hasType(type)) {
        return parts.get(0).column().retain();
      }
      return RowMerge.merge(parts, type, rows.length(), evaluation.allocator());
    } finally {
      parts.forEach(part -> part.column().close());
    }
  }

  /** The rows of an ascending set that are not in an ascending part of it. */
  static RowSet without(RowSet rows, RowSet part) {
    int[] left = new int[rows.count() - part.count()];
    int next = 0;
    int skipped = 0;
    for (int position = 0; position < rows.count(); position++) {
      int row = rows.row(position);
      if (skipped < part.count() && part.row(skipped) == row) {
        skipped++;
      } else {
        left[next++] = row;
      }
    }
    return RowSet.of(rows.length(), left, left.length);
  }

  @Override
  public void close() {
    conditions.forEach(Evaluator::close);
    values.forEach(Evaluator::close);
    if (otherwise != null) {
      otherwise.close();
    }
  }
}
