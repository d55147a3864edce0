package io.millrace.exec.kernel.list;

import io.millrace.core.batch.FlatVector;
import io.millrace.core.batch.PhysicalLayout;

/** Where the elements of the rows of a list or fixed list lie in its child. */
public final class ListRows {
  private ListRows() {}

  /** The first element of a row. */
  public static int start(FlatVector lists, int row) {
    return isFixed(lists) ? row * lists.layout().listSize() : lists.startAt(row);
  }

  /** How many elements a row has. */
  public static int count(FlatVector lists, int row) {
    return isFixed(lists) ? lists.layout().listSize() : lists.endAt(row) - lists.startAt(row);
  }

  private static boolean isFixed(FlatVector lists) {
    return lists.layout().kind() == PhysicalLayout.Kind.FIXED_LIST;
  }
}
