package io.millrace.exec.kernel.lane;

import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.FlatVector;
import io.millrace.core.batch.Layouts;
import io.millrace.core.batch.PhysicalLayout;
import io.millrace.core.spi.RowSet;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** Text, binary and fixed-width bytes: where each value starts in one segment, and its length. */
public final class TextLane implements Lane {
  private final int[] starts = new int[BLOCK_ROWS];
  private final int[] lengths = new int[BLOCK_ROWS];
  private final ValueSource source = new ValueSource();
  private MemorySegment data;
  private MemorySegment offsets;
  private int width;

  /** The bytes of all values. */
  public MemorySegment data() {
    return data;
  }

  /** First byte of each value of the block; overwritten by the next load. */
  public int[] starts() {
    return starts;
  }

  /** Bytes of each value of the block; overwritten by the next load. */
  public int[] lengths() {
    return lengths;
  }

  /** Whether all rows have the same value. */
  public boolean isConstant() {
    return source.isConstant();
  }

  @Override
  public void bind(ColumnVector vector) {
    source.bind(vector);
    FlatVector flat = source.flat();
    data = flat.values();
    offsets = flat.offsets();
    width = flat.layout().kind() == PhysicalLayout.Kind.VARIABLE ? -1 : flat.layout().byteWidth();
    if (source.isEmpty()) {
      Arrays.fill(starts, 0);
      Arrays.fill(lengths, 0);
    } else if (source.isConstant()) {
      Arrays.fill(starts, (int) flat.byteOffsetAt(0));
      Arrays.fill(lengths, flat.byteLengthAt(0));
    }
  }

  @Override
  public void load(RowSet rows, int from, int count) {
    if (source.isConstant() || source.isEmpty()) {
      return;
    }
    if (width < 0 && source.isContiguous(rows)) {
      int start = offsets.get(Layouts.INT32, 4L * from);
      for (int lane = 0; lane < count; lane++) {
        int end = offsets.get(Layouts.INT32, 4L * (from + lane) + 4);
        starts[lane] = start;
        lengths[lane] = end - start;
        start = end;
      }
      return;
    }
    int[] indexes = source.indexes(rows, from, count);
    if (width >= 0) {
      for (int lane = 0; lane < count; lane++) {
        starts[lane] = Math.multiplyExact(indexes[lane], width);
        lengths[lane] = width;
      }
      return;
    }
    for (int lane = 0; lane < count; lane++) {
      int start = offsets.get(Layouts.INT32, 4L * indexes[lane]);
      starts[lane] = start;
      lengths[lane] = offsets.get(Layouts.INT32, 4L * indexes[lane] + 4) - start;
    }
  }
}
