package io.millrace.exec.kernel.string;

import io.millrace.core.type.DataType;
import io.millrace.exec.kernel.BlockKernel;
import io.millrace.exec.kernel.lane.LongOutput;
import io.millrace.exec.kernel.lane.TextLane;

/** Number of code points or of bytes. */
final class LengthKernel extends BlockKernel {
  private final boolean inBytes;
  private final TextLane input;
  private final long[] result;

  LengthKernel(boolean inBytes) {
    this(inBytes, new TextLane(), new LongOutput(DataType.INT64));
  }

  private LengthKernel(boolean inBytes, TextLane input, LongOutput output) {
    super(output, input);
    this.inBytes = inBytes;
    this.input = input;
    this.result = output.values();
  }

  @Override
  protected boolean compute(int count) {
    int[] starts = input.starts();
    int[] lengths = input.lengths();
    for (int lane = 0; lane < count; lane++) {
      result[lane] =
          inBytes ? lengths[lane] : Utf8.length(input.data(), starts[lane], lengths[lane]);
    }
    return false;
  }
}
