package io.millrace.core.spi;

/**
 * The rows of a batch that matter: all, or those listed.
 *
 * @param length physical rows of the batch
 * @param selected null for all of them, else row indexes (ascending, no duplicates) of which the
 *     first {@code count} count
 * @param count how many rows matter
 */
public record RowSet(int length, int[] selected, int count) {

  public static RowSet all(int length) {
    return new RowSet(length, null, length);
  }

  public static RowSet of(int length, int[] selected, int count) {
    return new RowSet(length, selected, count);
  }

  public boolean isAll() {
    return selected == null;
  }

  /** The row at a position from 0 to count − 1. */
  public int row(int position) {
    return selected == null ? position : selected[position];
  }
}
