package io.millrace.exec.kernel.list;

import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.ConstantVector;
import io.millrace.core.batch.FlatVector;
import io.millrace.core.batch.Gather;
import io.millrace.core.spi.RowSet;
import io.millrace.core.spi.ScalarKernel;
import io.millrace.core.type.DataType;
import io.millrace.exec.kernel.lane.Lane;
import io.millrace.exec.kernel.lane.LongLane;
import io.millrace.exec.kernel.lane.RowLane;
import io.millrace.exec.kernel.lane.ValidityMask;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/**
 * The element at a position from 1, or from the end by −1, −2 …; null outside of the list and for a
 * null argument.
 */
final class ElementKernel implements ScalarKernel {
  private final DataType type;
  private final RowLane lists = new RowLane();
  private final LongLane positions = new LongLane();
  private final ValidityMask mask = new ValidityMask();
  private int[] elements = new int[0];

  ElementKernel(DataType type) {
    this.type = type;
  }

  @Override
  public ColumnVector evaluate(
      List<ColumnVector> arguments, RowSet rows, BufferAllocator allocator) {
    mask.reset(rows.length(), arguments);
    lists.bind(arguments.get(0));
    positions.bind(arguments.get(1));
    if (lists.isEmpty()) {
      return ConstantVector.ofNull(type, rows.length(), allocator);
    }
    if (elements.length < rows.length()) {
      elements = new int[rows.length()];
    }
    Arrays.fill(elements, 0, rows.length(), -1);
    FlatVector flat = lists.flat();
    for (int from = 0; from < rows.count(); from += Lane.BLOCK_ROWS) {
      int count = Math.min(Lane.BLOCK_ROWS, rows.count() - from);
      lists.load(rows, from, count);
      positions.load(rows, from, count);
      for (int lane = 0; lane < count; lane++) {
        int row = rows.row(from + lane);
        int listRow = lists.rows()[lane];
        long position = positions.values()[lane];
        if (mask.isValid(row)) {
          int size = ListRows.count(flat, listRow);
          long place = position < 0 ? size + position : position - 1;
          if (position != 0 && place >= 0 && place < size) {
            elements[row] = ListRows.start(flat, listRow) + (int) place;
          }
        }
      }
    }
    return Gather.flat(flat.child(0), elements, rows.length(), allocator);
  }
}
