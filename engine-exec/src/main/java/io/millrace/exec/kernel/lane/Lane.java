package io.millrace.exec.kernel.lane;

import io.millrace.core.batch.ColumnVector;
import io.millrace.core.spi.RowSet;

/**
 * Reads one argument block by block into arrays. Values of null rows are anything. Not thread-safe.
 */
public sealed interface Lane
    permits BooleanLane, DecimalLane, DoubleLane, LongLane, RowLane, TextLane {

  /** Rows of a block: three arrays of longs fit a first-level cache. */
  int BLOCK_ROWS = 1024;

  /** Reads from this vector until the next bind; borrowed. */
  void bind(ColumnVector vector);

  /**
   * Reads the rows at positions {@code from} to {@code from + count − 1} of the row set into
   * elements 0 to count − 1; count is at most {@link #BLOCK_ROWS}.
   */
  void load(RowSet rows, int from, int count);
}
