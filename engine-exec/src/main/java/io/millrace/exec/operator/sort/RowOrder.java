package io.millrace.exec.operator.sort;

import io.millrace.core.plan.OrderKey;
import io.millrace.core.type.Schema;
import io.millrace.exec.kernel.logic.ValueOrder;
import io.millrace.exec.operator.key.ColumnRows;
import java.util.List;

/** The order of rows by sort keys, of rows in the same batch or in different ones. Immutable. */
final class RowOrder {
  private final List<OrderKey> keys;
  private final ValueOrder[] orders;
  private final SortPrefix prefix;

  RowOrder(Schema schema, List<OrderKey> keys) {
    this.keys = List.copyOf(keys);
    this.orders = new ValueOrder[keys.size()];
    for (int index = 0; index < orders.length; index++) {
      orders[index] = ValueOrder.of(schema.field(keys.get(index).column()).type());
    }
    this.prefix =
        keys.isEmpty()
            ? SortPrefix.NONE
            : SortPrefix.of(schema.field(keys.get(0).column()).type(), keys.get(0));
  }

  List<OrderKey> keys() {
    return keys;
  }

  /** Fills a number per row such that unsigned smaller means earlier; equal numbers say nothing. */
  void prefixes(SortColumns columns, int count, long[] target) {
    if (keys.isEmpty()) {
      java.util.Arrays.fill(target, 0, count, 0);
    } else {
      prefix.fill(columns.keys()[0], count, target);
    }
  }

  /** Compares two rows by all keys. */
  int compare(SortColumns left, int leftRow, SortColumns right, int rightRow) {
    for (int index = 0; index < orders.length; index++) {
      ColumnRows leftKey = left.keys()[index];
      ColumnRows rightKey = right.keys()[index];
      int leftPosition = leftKey.positions()[leftRow];
      int rightPosition = rightKey.positions()[rightRow];
      OrderKey key = keys.get(index);
      int order;
      if (leftPosition < 0 || rightPosition < 0) {
        order = Boolean.compare(leftPosition < 0, rightPosition < 0);
        if (order != 0) {
          return key.nullsFirst() ? -order : order;
        }
      } else {
        order =
            orders[index].compare(leftKey.values(), leftPosition, rightKey.values(), rightPosition);
        if (order != 0) {
          return key.descending() ? -order : order;
        }
      }
    }
    return 0;
  }
}
