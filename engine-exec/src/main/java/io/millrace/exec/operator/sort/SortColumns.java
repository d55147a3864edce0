package io.millrace.exec.operator.sort;

import io.millrace.core.batch.Batch;
import io.millrace.core.plan.OrderKey;
import io.millrace.exec.operator.key.ColumnRows;
import java.util.List;

/**
 * The key columns of one batch, ready to compare; valid as long as the batch.
 *
 * @param keys per sort key, its values and a position per selected row
 */
record SortColumns(ColumnRows[] keys) {
  static SortColumns of(Batch batch, List<OrderKey> order) {
    ColumnRows[] keys = new ColumnRows[order.size()];
    for (int index = 0; index < keys.length; index++) {
      keys[index] =
          ColumnRows.of(
              batch.column(order.get(index).column()),
              batch.selection(),
              batch.rowCount(),
              new int[0]);
    }
    return new SortColumns(keys);
  }
}
