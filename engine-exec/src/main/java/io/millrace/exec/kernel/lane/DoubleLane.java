package io.millrace.exec.kernel.lane;

import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.FlatVector;
import io.millrace.core.batch.Layouts;
import io.millrace.core.spi.RowSet;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** Floats of any width, widened to 64 bits. */
public final class DoubleLane implements Lane {
  private final double[] values = new double[BLOCK_ROWS];
  private final ValueSource source = new ValueSource();
  private MemorySegment data;
  private int width;

  /** The block; overwritten by the next load. */
  public double[] values() {
    return values;
  }

  @Override
  public void bind(ColumnVector vector) {
    source.bind(vector);
    FlatVector flat = source.flat();
    data = flat.values();
    width = flat.layout().byteWidth();
    if (source.isEmpty()) {
      Arrays.fill(values, 0);
    } else if (source.isConstant()) {
      Arrays.fill(values, flat.doubleAt(0));
    }
  }

  @Override
  public void load(RowSet rows, int from, int count) {
    if (source.isConstant() || source.isEmpty()) {
      return;
    }
    if (source.isContiguous(rows) && width == 8) {
      MemorySegment.copy(data, Layouts.FLOAT64, 8L * from, values, 0, count);
      return;
    }
    int[] indexes = source.indexes(rows, from, count);
    switch (width) {
      case 2 -> {
        for (int lane = 0; lane < count; lane++) {
          values[lane] = Float.float16ToFloat(data.get(Layouts.INT16, 2L * indexes[lane]));
        }
      }
      case 4 -> {
        for (int lane = 0; lane < count; lane++) {
          values[lane] = data.get(Layouts.FLOAT32, 4L * indexes[lane]);
        }
      }
      default -> {
        for (int lane = 0; lane < count; lane++) {
          values[lane] = data.get(Layouts.FLOAT64, 8L * indexes[lane]);
        }
      }
    }
  }
}
