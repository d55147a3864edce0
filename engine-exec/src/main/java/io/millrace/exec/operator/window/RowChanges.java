package io.millrace.exec.operator.window;

import io.millrace.core.batch.Batch;
import io.millrace.core.type.Schema;
import io.millrace.exec.kernel.logic.ValueOrder;
import io.millrace.exec.operator.key.ColumnRows;
import java.util.List;

/** Finds where the values of some columns change from one row to the next. */
final class RowChanges {
  private final List<Integer> columns;
  private final ValueOrder[] orders;

  RowChanges(Schema schema, List<Integer> columns) {
    this.columns = columns;
    this.orders = new ValueOrder[columns.size()];
    for (int index = 0; index < orders.length; index++) {
      orders[index] = ValueOrder.of(schema.field(columns.get(index)).type());
    }
  }

  /** Marks each row that differs from the one before it; the first row is left as it is. */
  void mark(Batch batch, boolean[] changes) {
    int count = batch.rowCount();
    for (int index = 0; index < orders.length; index++) {
      ColumnRows rows =
          ColumnRows.of(batch.column(columns.get(index)), batch.selection(), count, new int[0]);
      int[] positions = rows.positions();
      for (int row = 1; row < count; row++) {
        int before = positions[row - 1];
        int current = positions[row];
        if (before != current) {
          changes[row] |=
              before < 0
                  || current < 0
                  || orders[index].compare(rows.values(), before, rows.values(), current) != 0;
        }
      }
    }
  }

  /** Whether a row differs from a row of another batch; neither has a selection. */
  boolean differs(Batch left, int leftRow, Batch right, int rightRow) {
    for (int index = 0; index < orders.length; index++) {
      int column = columns.get(index);
      ColumnRows leftRows = ColumnRows.of(left.column(column), new int[] {leftRow}, 1, new int[1]);
      ColumnRows rightRows =
          ColumnRows.of(right.column(column), new int[] {rightRow}, 1, new int[1]);
      int leftPosition = leftRows.positions()[0];
      int rightPosition = rightRows.positions()[0];
      boolean equal =
          leftPosition < 0 || rightPosition < 0
              ? leftPosition == rightPosition
              : orders[index].compare(
                      leftRows.values(), leftPosition, rightRows.values(), rightPosition)
                  == 0;
      if (!equal) {
        return true;
      }
    }
    return false;
  }
}
