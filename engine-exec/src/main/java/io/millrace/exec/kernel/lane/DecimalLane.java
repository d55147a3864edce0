package io.millrace.exec.kernel.lane;

import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.Layouts;
import io.millrace.core.spi.RowSet;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** Decimals as 128-bit counts of units, in two arrays. */
public final class DecimalLane implements Lane {
  /** Dictionaries up to this length are copied for each batch. */
  private static final int ENTRY_LIMIT = 1024;

  private final long[] high = new long[BLOCK_ROWS];
  private final long[] low = new long[BLOCK_ROWS];
  private final ValueSource source = new ValueSource();
  private MemorySegment data;
  private boolean narrow;
  private long[] entryBuffer;

  /** The lower halves of the dictionary's values, all narrow; null when they are read from it. */
  private long[] entries;

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
    entries = shortEntries();
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
      if (entries != null) {
        loadEntries(indexes, count);
        return;
      }
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

  private void loadEntries(int[] indexes, int count) {
    for (int lane = 0; lane < count; lane++) {
      low[lane] = entries[indexes[lane]];
    }
    for (int lane = 0; lane < count; lane++) {
      high[lane] = low[lane] >> 63;
    }
    narrow = true;
  }

  /** The lower halves of a short dictionary whose values all fit 64 bits; else null. */
  private long[] shortEntries() {
    int length = source.flat().length();
    if (!source.isCoded() || length > ENTRY_LIMIT) {
      return null;
    }
    if (entryBuffer == null) {
      entryBuffer = new long[ENTRY_LIMIT];
    }
    long wide = 0;
    for (int entry = 0; entry < length; entry++) {
      long lower = data.get(Layouts.INT64, 16L * entry);
      entryBuffer[entry] = lower;
      wide |= data.get(Layouts.INT64, 16L * entry + 8) ^ lower >> 63;
    }
    return wide == 0 ? entryBuffer : null;
  }
}
