package io.millrace.exec.kernel.lane;

import io.millrace.core.batch.Bits;
import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.Layouts;
import io.millrace.core.spi.RowSet;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** Booleans, one byte each: 0 or 1. */
public final class BooleanLane implements Lane {
  private final byte[] values = new byte[BLOCK_ROWS];
  private final ValueSource source = new ValueSource();
  private MemorySegment data;

  /** The block; overwritten by the next load. */
  public byte[] values() {
    return values;
  }

  @Override
  public void bind(ColumnVector vector) {
    source.bind(vector);
    data = source.flat().values();
    if (source.isEmpty() || source.isConstant()) {
      Arrays.fill(values, (byte) (!source.isEmpty() && Bits.get(data, 0) ? 1 : 0));
    }
  }

  @Override
  public void load(RowSet rows, int from, int count) {
    if (source.isConstant() || source.isEmpty()) {
      return;
    }
    if (source.isContiguous(rows)) {
      for (int lane = 0; lane < count; lane++) {
        int row = from + lane;
        values[lane] = (byte) (data.get(Layouts.INT8, row >>> 3) >>> (row & 7) & 1);
      }
      return;
    }
    int[] indexes = source.indexes(rows, from, count);
    for (int lane = 0; lane < count; lane++) {
      int row = indexes[lane];
      values[lane] = (byte) (data.get(Layouts.INT8, row >>> 3) >>> (row & 7) & 1);
    }
  }
}
