package io.millrace.core.spi;

/**
 * The rows of a batch that matter: all, or those listed.
 *
 * @param length physical rows of the batch
 * @param isAll whether all rows matter; nothing is listed then
 * @param selected row indexes (ascending, no duplicates) of which the first {@code count} count;
 *     empty for all rows, never null: with a null array C2 of JDK 25 may read the array's length
 *     before the test for null in {@link #row} when that is inlined into nested loops, which ends
 *     the process
 * @param count how many rows matter
 */
public record RowSet(int length, boolean isAll, int[] selected, int count) {
  private static final int[] NONE = new int[0];

  public static RowSet all(int length) {
    return new RowSet(length, true, NONE, length);
  }

  /**
   * The listed rows.
   *
   * @param selected null for all of them
   */
  public static RowSet of(int length, int[] selected, int count) {
    return selected == null ? all(length) : new RowSet(length, false, selected, count);
  }

  /** The row at a position from 0 to count − 1. */
  public int row(int position) {
    return isAll ? position : selected[position];
  }
}
