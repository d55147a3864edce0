package io.millrace.exec.kernel.logic;

import io.millrace.core.batch.ColumnVector;
import io.millrace.core.spi.RowSet;
import io.millrace.core.spi.ScalarKernel;
import io.millrace.core.type.DataType;
import io.millrace.exec.kernel.SelectingKernel;
import io.millrace.exec.kernel.lane.BooleanOutput;
import io.millrace.exec.kernel.lane.Lane;
import io.millrace.exec.kernel.lane.ValidityMask;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/** Whether a value of any type is null, or is not; never null itself. */
final class NullTest implements ScalarKernel, SelectingKernel {
  private final boolean wantsNull;
  private final ValidityMask mask = new ValidityMask();
  private final ValidityMask noNulls = new ValidityMask();
  private final BooleanOutput output = new BooleanOutput();

  NullTest(boolean wantsNull) {
    this.wantsNull = wantsNull;
  }

  @Override
  public ColumnVector evaluate(
      List<ColumnVector> arguments, RowSet rows, BufferAllocator allocator) {
    mask.reset(rows.length(), arguments);
    noNulls.reset(rows.length());
    output.open(rows.length(), allocator);
    try {
      for (int from = 0; from < rows.count(); from += Lane.BLOCK_ROWS) {
        int count = Math.min(Lane.BLOCK_ROWS, rows.count() - from);
        for (int lane = 0; lane < count; lane++) {
          output.values()[lane] = (byte) (mask.isValid(rows.row(from + lane)) ^ wantsNull ? 1 : 0);
        }
        output.store(rows, from, count);
      }
      return output.finish(noNulls, allocator);
    } finally {
      output.abandon();
    }
  }

  @Override
  public boolean canSelect() {
    return true;
  }

  @Override
  public int select(List<ColumnVector> arguments, RowSet rows, int[] target) {
    mask.reset(rows.length(), arguments);
    int found = 0;
    for (int position = 0; position < rows.count(); position++) {
      int row = rows.row(position);
      target[found] = row;
      found += mask.isValid(row) ^ wantsNull ? 1 : 0;
    }
    return found;
  }

  @Override
  public String toString() {
    return (wantsNull ? "is_null" : "is_not_null") + " gives " + DataType.BOOLEAN;
  }
}
