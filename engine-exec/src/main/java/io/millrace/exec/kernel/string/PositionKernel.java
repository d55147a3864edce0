package io.millrace.exec.kernel.string;

import io.millrace.core.type.DataType;
import io.millrace.exec.kernel.BlockKernel;
import io.millrace.exec.kernel.lane.LongOutput;
import io.millrace.exec.kernel.lane.TextLane;

/** The code point, from 1, at which a text occurs first in another; 0 when it does not. */
final class PositionKernel extends BlockKernel {
  private final TextLane search;
  private final TextLane input;
  private final long[] result;

  PositionKernel() {
    this(new TextLane(), new TextLane(), new LongOutput(DataType.INT64));
  }

  private PositionKernel(TextLane search, TextLane input, LongOutput output) {
    super(output, search, input);
    this.search = search;
    this.input = input;
    this.result = output.values();
  }

  @Override
  protected boolean compute(int count) {
    for (int lane = 0; lane < count; lane++) {
      int start = input.starts()[lane];
      int found =
          ByteStrings.indexOf(
              input.data(),
              start,
              input.lengths()[lane],
              search.data(),
              search.starts()[lane],
              search.lengths()[lane]);
      result[lane] = found < 0 ? 0 : 1 + Utf8.length(input.data(), start, found);
    }
    return false;
  }
}
