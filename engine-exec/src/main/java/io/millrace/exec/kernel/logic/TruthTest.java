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

/** Whether a boolean is surely the wanted truth, or whether it is not; never null itself. */
final class TruthTest implements ScalarKernel {
  private final int wanted;
  private final int whenSo;
  private final ValidityMask mask = new ValidityMask();
  private final ValidityMask noNulls = new ValidityMask();
  private final BooleanLane input = new BooleanLane();
  private final BooleanOutput output = new BooleanOutput();

  TruthTest(boolean wanted, boolean whenSo) {
    this.wanted = wanted ? 1 : 0;
    this.whenSo = whenSo ? 1 : 0;
  }

  @Override
  public ColumnVector evaluate(
      List<ColumnVector> arguments, RowSet rows, BufferAllocator allocator) {
    mask.reset(rows.length(), arguments);
    noNulls.reset(rows.length());
    input.bind(arguments.get(0));
    output.open(rows.length(), allocator);
    try {
      for (int from = 0; from < rows.count(); from += Lane.BLOCK_ROWS) {
        int count = Math.min(Lane.BLOCK_ROWS, rows.count() - from);
        input.load(rows, from, count);
        for (int lane = 0; lane < count; lane++) {
          boolean so = mask.isValid(rows.row(from + lane)) && input.values()[lane] == wanted;
          output.values()[lane] = (byte) (so ? whenSo : 1 - whenSo);
        }
        output.store(rows, from, count);
      }
      return output.finish(noNulls, allocator);
    } finally {
      output.abandon();
    }
  }
}
