package io.millrace.exec.kernel.string;

import io.millrace.core.type.DataType;
import io.millrace.exec.kernel.TextBlockKernel;
import io.millrace.exec.kernel.lane.TextLane;
import io.millrace.exec.kernel.lane.TextOutput;
import java.lang.foreign.MemorySegment;

/** Text with every occurrence of one text replaced, from the left; an empty search finds none. */
final class ReplaceKernel extends TextBlockKernel {
  private final TextLane input;
  private final TextLane search;
  private final TextLane replacement;

  ReplaceKernel() {
    this(new TextLane(), new TextLane(), new TextLane());
  }

  private ReplaceKernel(TextLane input, TextLane search, TextLane replacement) {
    super(DataType.STRING, input, search, replacement);
    this.input = input;
    this.search = search;
    this.replacement = replacement;
  }

  @Override
  protected boolean append(int lane, TextOutput output) {
    MemorySegment data = input.data();
    long start = input.starts()[lane];
    int length = input.lengths()[lane];
    int searched = search.lengths()[lane];
    int done = 0;
    while (searched > 0) {
      int found =
          ByteStrings.indexOf(
              data, start + done, length - done, search.data(), search.starts()[lane], searched);
      if (found < 0) {
        break;
      }
      output.append(data, start + done, found);
      output.append(replacement.data(), replacement.starts()[lane], replacement.lengths()[lane]);
      done += found + searched;
    }
    output.append(data, start + done, length - done);
    return true;
  }
}
