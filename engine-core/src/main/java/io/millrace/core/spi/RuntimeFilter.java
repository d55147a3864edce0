package io.millrace.core.spi;

import io.millrace.core.batch.ColumnVector;

/**
 * A condition on one output column of a scan that became known while the query ran, such as the
 * keys of a join's build side. It may let rows through that match nothing, but drops no row that
 * could; a null never passes. Thread-safe.
 */
public interface RuntimeFilter {

  /** The column, a position among the scan's output columns. */
  int column();

  /**
   * Whether some value from {@code least} to {@code greatest} may pass, so that a row group or page
   * with these bounds must be read. Values as {@code FlatVector.longAt} gives them, for signed
   * integers, unsigned ones of at most 32 bits, dates, times, timestamps and durations; true for
   * all other types.
   */
  boolean mayMatch(long least, long greatest);

  /**
   * The rows whose value may pass, in their order.
   *
   * @param values of the filter's column, in any form
   * @param rows physical rows, of which the first {@code count} are asked for; null for the rows 0
   *     to {@code count} − 1
   * @param passing takes the rows that pass; may be the same array as {@code rows}
   * @return how many pass
   */
  int select(ColumnVector values, int[] rows, int count, int[] passing);

  /**
   * False once it has turned out that nearly all rows pass: then asking costs more than it saves.
   * {@link #select} counts for it.
   */
  boolean isUseful();
}
