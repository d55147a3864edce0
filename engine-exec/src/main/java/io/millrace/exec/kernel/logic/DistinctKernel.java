package io.millrace.exec.kernel.logic;

import io.millrace.core.batch.ColumnVector;
import io.millrace.core.spi.RowSet;
import io.millrace.core.spi.ScalarKernel;
import io.millrace.exec.kernel.lane.BooleanLane;
import io.millrace.exec.kernel.lane.BooleanOutput;
import io.millrace.exec.kernel.lane.Lane;
import io.millrace.exec.kernel.lane.ValidityMask;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/** Whether two values differ where null equals null; or the opposite. Never null. */
final class DistinctKernel implements ScalarKernel {
  private final ScalarKernel notEqual;
  private final int whenDistinct;
  private final ValidityMask left = new ValidityMask();
  private final ValidityMask right = new ValidityMask();
  private final ValidityMask noNulls = new ValidityMask();
  private final BooleanLane differing = new BooleanLane();
  private final BooleanOutput output = new BooleanOutput();

  /**
   * @param notEqual gives whether two values differ
   */
  DistinctKernel(ScalarKernel notEqual, boolean distinct) {
    this.notEqual = notEqual;
    this.whenDistinct = distinct ? 1 : 0;
  }

  @Override
  public ColumnVector evaluate(
      List<ColumnVector> arguments, RowSet rows, BufferAllocator allocator) {
    left.reset(rows.length(), arguments.subList(0, 1));
    right.reset(rows.length(), arguments.subList(1, 2));
    noNulls.reset(rows.length());
    output.open(rows.length(), allocator);
    try (ColumnVector compared = notEqual.evaluate(arguments, rows, allocator)) {
      differing.bind(compared);
      byte[] truths = output.values();
      for (int from = 0; from < rows.count(); from += Lane.BLOCK_ROWS) {
        int count = Math.min(Lane.BLOCK_ROWS, rows.count() - from);
        differing.load(rows, from, count);
        for (int lane = 0; lane < count; lane++) {
          int row = rows.row(from + lane);
          boolean leftValid = left.isValid(row);
          boolean rightValid = right.isValid(row);
          boolean distinct =
              leftValid && rightValid ? differing.values()[lane] != 0 : leftValid != rightValid;
          truths[lane] = (byte) (distinct ? whenDistinct : 1 - whenDistinct);
        }
        output.store(rows, from, count);
      }
      return output.finish(noNulls, allocator);
    } finally {
      output.abandon();
    }
  }

  @Override
  public void close() {
    notEqual.close();
  }
}
