package io.millrace.exec.kernel.lane;

import io.millrace.core.batch.Layouts;
import io.millrace.core.batch.PhysicalLayout;
import io.millrace.core.spi.RowSet;
import io.millrace.core.type.DataType;
import java.lang.foreign.MemorySegment;

/** Integers and temporal values; the low bytes are kept. */
public final class LongOutput extends Output {
  private final long[] values = new long[Lane.BLOCK_ROWS];
  private final int width;

  public LongOutput(DataType type) {
    super(type);
    this.width = PhysicalLayout.of(type).byteWidth();
  }

  /** The block to fill. */
  public long[] values() {
    return values;
  }

  @Override
  long byteCount(int rowCount) {
    return (long) rowCount * width;
  }

  @Override
  public void store(RowSet rows, int from, int count) {
    if (rows.isAll()) {
      storeContiguous(target(), from, count);
    } else {
      storeSelected(target(), rows.selected(), from, count);
    }
  }

  private void storeContiguous(MemorySegment target, int from, int count) {
    switch (width) {
      case 1 -> {
        for (int lane = 0; lane < count; lane++) {
          target.set(Layouts.INT8, (long) from + lane, (byte) values[lane]);
        }
      }
      case 2 -> {
        for (int lane = 0; lane < count; lane++) {
          target.set(Layouts.INT16, 2L * (from + lane), (short) values[lane]);
        }
      }
      case 4 -> {
        for (int lane = 0; lane < count; lane++) {
          target.set(Layouts.INT32, 4L * (from + lane), (int) values[lane]);
        }
      }
      default -> MemorySegment.copy(values, 0, target, Layouts.INT64, 8L * from, count);
    }
  }

  private void storeSelected(MemorySegment target, int[] selected, int from, int count) {
    switch (width) {
      case 1 -> {
        for (int lane = 0; lane < count; lane++) {
          target.set(Layouts.INT8, selected[from + lane], (byte) values[lane]);
        }
      }
      case 2 -> {
        for (int lane = 0; lane < count; lane++) {
          target.set(Layouts.INT16, 2L * selected[from + lane], (short) values[lane]);
        }
      }
      case 4 -> {
        for (int lane = 0; lane < count; lane++) {
          target.set(Layouts.INT32, 4L * selected[from + lane], (int) values[lane]);
        }
      }
      default -> {
        for (int lane = 0; lane < count; lane++) {
          target.set(Layouts.INT64, 8L * selected[from + lane], values[lane]);
        }
      }
    }
  }
}
