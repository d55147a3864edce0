package io.millrace.exec.kernel.lane;

import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.FlatVector;
import io.millrace.core.batch.Layouts;
import io.millrace.core.batch.PhysicalLayout;
import io.millrace.core.spi.RowSet;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * Integers, dates, times, timestamps, durations and references, widened to 64 bits; uint64 as its
 * bits.
 */
public final class LongLane implements Lane {
  private final long[] values = new long[BLOCK_ROWS];
  private final ValueSource source = new ValueSource();
  private MemorySegment data;
  private int width;
  private boolean signed;

  /** The block; overwritten by the next load. */
  public long[] values() {
    return values;
  }

  @Override
  public void bind(ColumnVector vector) {
    source.bind(vector);
    FlatVector flat = source.flat();
    data = flat.values();
    PhysicalLayout layout = flat.layout();
    width = layout.byteWidth();
    signed = layout.signed();
    if (source.isEmpty()) {
      Arrays.fill(values, 0);
    } else if (source.isConstant()) {
      Arrays.fill(values, flat.longAt(0));
    }
  }

  @Override
  public void load(RowSet rows, int from, int count) {
    if (source.isConstant() || source.isEmpty()) {
      return;
    }
    if (source.isContiguous(rows)) {
      loadContiguous(from, count);
    } else {
      loadIndexed(source.indexes(rows, from, count), count);
    }
  }

  private void loadContiguous(int from, int count) {
    switch (width) {
      case 1 -> {
        int mask = signed ? -1 : 0xff;
        for (int lane = 0; lane < count; lane++) {
          values[lane] = data.get(Layouts.INT8, (long) from + lane) & mask;
        }
      }
      case 2 -> {
        int mask = signed ? -1 : 0xffff;
        for (int lane = 0; lane < count; lane++) {
          values[lane] = data.get(Layouts.INT16, 2L * (from + lane)) & mask;
        }
      }
      case 4 -> {
        long mask = signed ? -1L : 0xffff_ffffL;
        for (int lane = 0; lane < count; lane++) {
          values[lane] = data.get(Layouts.INT32, 4L * (from + lane)) & mask;
        }
      }
      default -> MemorySegment.copy(data, Layouts.INT64, 8L * from, values, 0, count);
    }
  }

  private void loadIndexed(int[] indexes, int count) {
    switch (width) {
      case 1 -> {
        int mask = signed ? -1 : 0xff;
        for (int lane = 0; lane < count; lane++) {
          values[lane] = data.get(Layouts.INT8, indexes[lane]) & mask;
        }
      }
      case 2 -> {
        int mask = signed ? -1 : 0xffff;
        for (int lane = 0; lane < count; lane++) {
          values[lane] = data.get(Layouts.INT16, 2L * indexes[lane]) & mask;
        }
      }
      case 4 -> {
        long mask = signed ? -1L : 0xffff_ffffL;
        for (int lane = 0; lane < count; lane++) {
          values[lane] = data.get(Layouts.INT32, 4L * indexes[lane]) & mask;
        }
      }
      default -> {
        for (int lane = 0; lane < count; lane++) {
          values[lane] = data.get(Layouts.INT64, 8L * indexes[lane]);
        }
      }
    }
  }
}
