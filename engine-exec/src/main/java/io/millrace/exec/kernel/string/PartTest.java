package io.millrace.exec.kernel.string;

import io.millrace.exec.kernel.BlockKernel;
import io.millrace.exec.kernel.lane.BooleanOutput;
import io.millrace.exec.kernel.lane.TextLane;

/** Whether a text begins with, ends with or contains another. */
final class PartTest extends BlockKernel {

  /** Where the other text must be. */
  enum Place {
    START,
    END,
    ANYWHERE
  }

  private final Place place;
  private final TextLane input;
  private final TextLane part;
  private final byte[] truths;

  PartTest(Place place) {
    this(place, new TextLane(), new TextLane(), new BooleanOutput());
  }

  private PartTest(Place place, TextLane input, TextLane part, BooleanOutput output) {
    super(output, input, part);
    this.place = place;
    this.input = input;
    this.part = part;
    this.truths = output.values();
  }

  @Override
  protected boolean compute(int count) {
    for (int lane = 0; lane < count; lane++) {
      truths[lane] = (byte) (holds(lane) ? 1 : 0);
    }
    return false;
  }

  private boolean holds(int lane) {
    int start = input.starts()[lane];
    int length = input.lengths()[lane];
    int partStart = part.starts()[lane];
    int partLength = part.lengths()[lane];
    if (partLength > length) {
      return false;
    }
    return switch (place) {
      case START -> ByteStrings.equal(input.data(), start, part.data(), partStart, partLength);
      case END ->
          ByteStrings.equal(
              input.data(), start + length - partLength, part.data(), partStart, partLength);
      case ANYWHERE ->
          ByteStrings.indexOf(input.data(), start, length, part.data(), partStart, partLength) >= 0;
    };
  }
}
