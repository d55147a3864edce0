package io.millrace.exec.kernel.lane;

import io.millrace.core.batch.Bits;
import io.millrace.core.batch.Layouts;
import io.millrace.core.spi.RowSet;
import io.millrace.core.type.DataType;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Booleans from one byte each, 0 or 1, packed into bits. */
public final class BooleanOutput extends Output {
  private static final VarHandle EIGHT_BYTES =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  /** Moves the lowest bit of each of eight bytes into the top byte. */
  private static final long PACKING_FACTOR = 0x0102_0408_1020_4080L;

  private final byte[] values = new byte[Lane.BLOCK_ROWS];

  public BooleanOutput() {
    super(DataType.BOOLEAN);
  }

  /** The block to fill, each element 0 or 1. */
  public byte[] values() {
    return values;
  }

  @Override
  long byteCount(int rowCount) {
    return Bits.byteCount(rowCount);
  }

  @Override
  void prepare(MemorySegment memory) {
    memory.fill((byte) 0);
  }

  @Override
  public void store(RowSet rows, int from, int count) {
    MemorySegment target = target();
    if (!rows.isAll()) {
      int[] selected = rows.selected();
      for (int lane = 0; lane < count; lane++) {
        int row = selected[from + lane];
        byte old = target.get(Layouts.INT8, row >>> 3);
        target.set(Layouts.INT8, row >>> 3, (byte) (old | values[lane] << (row & 7)));
      }
      return;
    }
    int whole = count & ~7;
    for (int lane = 0; lane < whole; lane += 8) {
      long eight = (long) EIGHT_BYTES.get(values, lane);
      target.set(Layouts.INT8, from + lane >>> 3, (byte) (eight * PACKING_FACTOR >>> 56));
    }
    for (int lane = whole; lane < count; lane++) {
      if (values[lane] != 0) {
        Bits.set(target, from + lane, true);
      }
    }
  }

  /**
   * Appends the rows whose element is 1 and that the mask calls valid, without branches.
   *
   * @param target takes rows; may be the row set's own array
   * @param found rows already in the target
   * @return rows in the target now
   */
  public int select(RowSet rows, int from, int count, ValidityMask mask, int[] target, int found) {
    int[] selected = rows.selected();
    int next = found;
    if (!mask.isAllValid()) {
      for (int lane = 0; lane < count; lane++) {
        values[lane] &= (byte) mask.bit(rows.isAll() ? from + lane : selected[from + lane]);
      }
    }
    if (rows.isAll()) {
      for (int lane = 0; lane < count; lane++) {
        target[next] = from + lane;
        next += values[lane];
      }
    } else {
      for (int lane = 0; lane < count; lane++) {
        target[next] = selected[from + lane];
        next += values[lane];
      }
    }
    return next;
  }
}
