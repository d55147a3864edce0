package io.millrace.exec.kernel.list;

import io.millrace.core.type.DataType;
import io.millrace.exec.kernel.BlockKernel;
import io.millrace.exec.kernel.lane.LongOutput;
import io.millrace.exec.kernel.lane.RowLane;

/** Number of elements. */
final class CardinalityKernel extends BlockKernel {
  private final RowLane input;
  private final long[] result;

  CardinalityKernel() {
    this(new RowLane(), new LongOutput(DataType.INT64));
  }

  private CardinalityKernel(RowLane input, LongOutput output) {
    super(output, input);
    this.input = input;
    this.result = output.values();
  }

  @Override
  protected boolean compute(int count) {
    if (!input.isEmpty()) {
      for (int lane = 0; lane < count; lane++) {
        result[lane] = ListRows.count(input.flat(), input.rows()[lane]);
      }
    }
    return false;
  }
}
