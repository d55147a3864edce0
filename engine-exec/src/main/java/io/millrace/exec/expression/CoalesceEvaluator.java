package io.millrace.exec.expression;

import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.ConstantVector;
import io.millrace.core.spi.RowSet;
import io.millrace.core.type.DataType;
import io.millrace.exec.kernel.lane.ValidityMask;
import java.util.ArrayList;
import java.util.List;

/** The first argument that is not null; later ones see only the rows that are null still. */
final class CoalesceEvaluator implements Evaluator {
  private final DataType type;
  private final List<Evaluator> arguments;
  private final ValidityMask mask = new ValidityMask();

  CoalesceEvaluator(DataType type, List<Evaluator> arguments) {
    this.type = type;
    this.arguments = arguments;
  }

  @Override
  public ColumnVector evaluate(Evaluation evaluation, RowSet rows) {
    List<RowMerge> parts = new ArrayList<>(arguments.size());
    try {
      RowSet open = rows;
      for (int index = 0; index < arguments.size() && open.count() > 0; index++) {
        ColumnVector value = arguments.get(index).evaluate(evaluation, open);
        parts.add(new RowMerge(value, open));
        open = stillNull(value, open);
      }
      if (parts.isEmpty()) {
        return ConstantVector.ofNull(type, rows.length(), evaluation.allocator());
      }
      return parts.size() == 1 && parts.get(0).hasType(type)
          ? parts.get(0).column().retain()
          : RowMerge.merge(parts, type, rows.length(), evaluation.allocator());
    } finally {
      parts.forEach(part -> part.column().close());
    }
  }

  private RowSet stillNull(ColumnVector value, RowSet rows) {
    mask.reset(rows.length(), List.of(value));
    if (mask.isAllValid()) {
      return RowSet.of(rows.length(), new int[0], 0);
    }
    int[] left = new int[rows.count()];
    int count = 0;
    for (int position = 0; position < rows.count(); position++) {
      int row = rows.row(position);
      left[count] = row;
      count += mask.isValid(row) ? 0 : 1;
    }
    return RowSet.of(rows.length(), left, count);
  }

  @Override
  public void close() {
    arguments.forEach(Evaluator::close);
  }
}
