package io.millrace.exec.expression;

import io.millrace.core.batch.ColumnVector;
import io.millrace.core.spi.RowSet;
import io.millrace.exec.kernel.lane.BooleanOutput;
import io.millrace.exec.kernel.lane.Lane;
import io.millrace.exec.kernel.lane.ValidityMask;
import java.util.List;

/**
 * Kleene AND or OR: an argument is evaluated for the rows that the earlier ones leave undecided.
 */
final class LogicalEvaluator implements Evaluator {
  private final boolean conjunction;
  private final List<Evaluator> arguments;
  private final ValidityMask mask = new ValidityMask();
  private final BooleanOutput output = new BooleanOutput();
  private byte[] state = new byte[0];
  private byte[] current = new byte[0];

  LogicalEvaluator(boolean conjunction, List<Evaluator> arguments) {
    this.conjunction = conjunction;
    this.arguments = arguments;
  }

  @Override
  public ColumnVector evaluate(Evaluation evaluation, RowSet rows) {
    int length = rows.length();
    if (state.length < length) {
      state = new byte[length];
      current = new byte[length];
    }
    byte neutral = conjunction ? Truths.TRUE : Truths.FALSE;
    byte decisive = conjunction ? Truths.FALSE : Truths.TRUE;
    byte[] truths = state;
    for (int position = 0; position < rows.count(); position++) {
      truths[rows.row(position)] = neutral;
    }
    RowSet open = rows;
    int[] openRows = new int[rows.count()];
    for (int index = 0; index < arguments.size() && open.count() > 0; index++) {
      // A nested AND or OR keeps arrays of its own; this one's are not touched by it.
      try (ColumnVector argument = arguments.get(index).evaluate(evaluation, open)) {
        Truths.read(argument, open, current);
      }
      int stillOpen = 0;
      for (int position = 0; position < open.count(); position++) {
        int row = open.row(position);
        byte truth = current[row];
        truths[row] = truth == decisive || truth == Truths.NULL ? truth : truths[row];
        openRows[stillOpen] = row;
        stillOpen += truth == decisive ? 0 : 1;
      }
      open = RowSet.of(length, openRows, stillOpen);
    }
    return column(evaluation, rows);
  }

  private ColumnVector column(Evaluation evaluation, RowSet rows) {
    mask.reset(rows.length());
    output.open(rows.length(), evaluation.allocator());
    try {
      for (int from = 0; from < rows.count(); from += Lane.BLOCK_ROWS) {
        int count = Math.min(Lane.BLOCK_ROWS, rows.count() - from);
        for (int lane = 0; lane < count; lane++) {
          int row = rows.row(from + lane);
          byte truth = state[row];
          output.values()[lane] = (byte) (truth & 1);
          if (truth == Truths.NULL) {
            mask.clear(row);
          }
        }
        output.store(rows, from, count);
      }
      return output.finish(mask, evaluation.allocator());
    } finally {
      output.abandon();
    }
  }

  @Override
  public int select(Evaluation evaluation, RowSet rows, int[] target) {
    return conjunction ? selectAll(evaluation, rows, target) : selectAny(evaluation, rows, target);
  }

  private int selectAll(Evaluation evaluation, RowSet rows, int[] target) {
    RowSet left = rows;
    for (Evaluator argument : arguments) {
      int found = argument.select(evaluation, left, target);
      if (found == 0) {
        return 0;
      }
      left = RowSet.of(rows.length(), target, found);
    }
    return left.count();
  }

  private int selectAny(Evaluation evaluation, RowSet rows, int[] target) {
    byte[] taken = new byte[rows.length()];
    int[] open = new int[rows.count()];
    for (int position = 0; position < rows.count(); position++) {
      open[position] = rows.row(position);
    }
    int openCount = open.length;
    int[] found = new int[open.length];
    for (Evaluator argument : arguments) {
      if (openCount == 0) {
        break;
      }
      int count = argument.select(evaluation, RowSet.of(rows.length(), open, openCount), found);
      for (int index = 0; index < count; index++) {
        taken[found[index]] = 1;
      }
      openCount = without(taken, open, openCount);
    }
    int count = 0;
    for (int position = 0; position < rows.count(); position++) {
      int row = rows.row(position);
      target[count] = row;
      count += taken[row];
    }
    return count;
  }

  private static int without(byte[] taken, int[] open, int openCount) {
    int left = 0;
    for (int index = 0; index < openCount; index++) {
      int row = open[index];
      open[left] = row;
      left += 1 - taken[row];
    }
    return left;
  }

  @Override
  public void close() {
    arguments.forEach(Evaluator::close);
  }
}
