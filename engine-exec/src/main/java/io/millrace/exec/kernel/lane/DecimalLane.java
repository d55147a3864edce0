package io.millrace.exec.kernel.lane;

import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.Layouts;
import io.millrace.core.spi.RowSet;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** Decimals as 128-bit counts of units, in two arrays. */
public final class DecimalLane implements Lane {
  private final long[] high = new long[BLOCK_ROWS];
  private final long[] low = new long[BLOCK_ROWS];
  private final ValueSource source = new ValueSource();
  private MemorySegment data;
  private boolean narrow;

  /** The upper halves of the block; overwritten by the next load. */
  public long[] high() {
    return high;
  }

  /** The lower halves of the block; overwritten by the next load. */
  public long[] low() {
    return low;
  }

  /** Whether every value of the block fits 64 bits: the lower halves say it all. */
  public boolean isNarrow() {
    return narrow;
  }

  @Override
  public void bind(ColumnVector vector) {
    source.bind(vector);
    data = source.flat().values();
    if (source.isEmpty() || source.isConstant()) {
      Arrays.fill(low, source.isEmpty() ? 0 : data.get(Layouts.INT64, 0));
      Arrays.fill(high, source.isEmpty() ? 0 : data.get(Layouts.INT64, 8));
      narrow = high[0] == low[0] >> 63;
    }
  }

  @Override
  public void load(RowSet rows, int from, int count) {
    if (source.isConstant() || source.isEmpty()) {
      return;
    }
    long wide = 0;
    if (source.isContiguous(rows)) {
      for (int lane = 0; lane < count; lane++) {
        long lower = data.get(Layouts.INT64, 16L * (from + lane));
        long upper = data.get(Layouts.INT64, 16L * (from + lane) + 8);
        low[lane] = lower;
        high[lane] = upper;
        wide |= upper ^ lower >> 63;
      }
    } else {
      int[] indexes = source.indexes(rows, from, count);
      for (int lane = 0; lane < count; lane++) {
        long lower = data.get(Layouts.INT64, 16L * indexes[lane]);
        long upper = data.get(Layouts.INT64, 16L * indexes[lane] + 8);
        low[lane] = lower;
        high[lane] = upper;
        wide |= upper ^ lower >> 63;
      }
    }
    narrow = wide == 0;
  }
}
