package io.millrace.exec.kernel.lane;

import io.millrace.core.batch.Layouts;
import io.millrace.core.spi.RowSet;
import io.millrace.core.type.DataType;
import java.lang.foreign.MemorySegment;

/** Floats of any width, rounded to it. */
public final class DoubleOutput extends Output {
  private final double[] values = new double[Lane.BLOCK_ROWS];
  private final int width;

  public DoubleOutput(DataType.Float type) {
    super(type);
    this.width = type.bits() / 8;
  }

  /** The block to fill. */
  public double[] values() {
    return values;
  }

  @Override
  long byteCount(int rowCount) {
    return (long) rowCount * width;
  }

  @Override
  public void store(RowSet rows, int from, int count) {
    MemorySegment target = target();
    int[] selected = rows.selected();
    switch (width) {
      case 2 -> {
        for (int lane = 0; lane < count; lane++) {
          target.set(
              Layouts.INT16,
              2L * rows.row(from + lane),
              Float.floatToFloat16((float) values[lane]));
        }
      }
      case 4 -> {
        if (rows.isAll()) {
          for (int lane = 0; lane < count; lane++) {
            target.set(Layouts.FLOAT32, 4L * (from + lane), (float) values[lane]);
          }
        } else {
          for (int lane = 0; lane < count; lane++) {
            target.set(Layouts.FLOAT32, 4L * selected[from + lane], (float) values[lane]);
          }
        }
      }
      default -> {
        if (rows.isAll()) {
          MemorySegment.copy(values, 0, target, Layouts.FLOAT64, 8L * from, count);
        } else {
          for (int lane = 0; lane < count; lane++) {
            target.set(Layouts.FLOAT64, 8L * selected[from + lane], values[lane]);
          }
        }
      }
    }
  }
}
