package io.millrace.exec.kernel.lane;

import io.millrace.core.batch.Layouts;
import io.millrace.core.spi.RowSet;
import io.millrace.core.type.DataType;
import java.lang.foreign.MemorySegment;

/** 128-bit values from two arrays of halves. */
public final class DecimalOutput extends Output {
  private final long[] high = new long[Lane.BLOCK_ROWS];
  private final long[] low = new long[Lane.BLOCK_ROWS];

  /** Of decimals, or of another type of 16 bytes. */
  public DecimalOutput(DataType type) {
    super(type);
  }

  /** The upper halves of the block to fill. */
  public long[] high() {
    return high;
  }

  /** The lower halves of the block to fill. */
  public long[] low() {
    return low;
  }

  @Override
  long byteCount(int rowCount) {
    return 16L * rowCount;
  }

  @Override
  public void store(RowSet rows, int from, int count) {
    MemorySegment target = target();
    int[] selected = rows.selected();
    if (rows.isAll()) {
      for (int lane = 0; lane < count; lane++) {
        target.set(Layouts.INT64, 16L * (from + lane), low[lane]);
        target.set(Layouts.INT64, 16L * (from + lane) + 8, high[lane]);
      }
    } else {
      for (int lane = 0; lane < count; lane++) {
        target.set(Layouts.INT64, 16L * selected[from + lane], low[lane]);
        target.set(Layouts.INT64, 16L * selected[from + lane] + 8, high[lane]);
      }
    }
  }
}
