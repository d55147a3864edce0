package io.millrace.exec.kernel.lane;

import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.FlatVector;
import io.millrace.core.spi.RowSet;
import java.util.Arrays;

/** Values of any type: a flat vector and the row of it behind each position. */
public final class RowLane implements Lane {
  private final ValueSource source = new ValueSource();
  private int[] rows = new int[BLOCK_ROWS];

  /** The flat values. */
  public FlatVector flat() {
    return source.flat();
  }

  /** Whether all rows have the same value. */
  public boolean isConstant() {
    return source.isConstant();
  }

  /** Whether there is no value to read. */
  public boolean isEmpty() {
    return source.isEmpty();
  }

  /** The row of {@link #flat} behind each position of the block; overwritten by the next load. */
  public int[] rows() {
    return rows;
  }

  @Override
  public void bind(ColumnVector vector) {
    source.bind(vector);
  }

  @Override
  public void load(RowSet selection, int from, int count) {
    if (source.isEmpty()) {
      Arrays.fill(rows, 0);
    } else {
      rows = source.indexes(selection, from, count);
    }
  }
}
