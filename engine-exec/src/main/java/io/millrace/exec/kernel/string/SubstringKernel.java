package io.millrace.exec.kernel.string;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.type.DataType;
import io.millrace.exec.kernel.TextBlockKernel;
import io.millrace.exec.kernel.lane.Lane;
import io.millrace.exec.kernel.lane.LongLane;
import io.millrace.exec.kernel.lane.TextLane;
import io.millrace.exec.kernel.lane.TextOutput;
import java.lang.foreign.MemorySegment;

/**
 * A part of a text by code points. As in SQL, positions before the first count: from −1 for 3 is
 * the first code point.
 */
final class SubstringKernel extends TextBlockKernel {
  private final TextLane input;
  private final LongLane from;
  private final LongLane count;

  static SubstringKernel withLength() {
    TextLane input = new TextLane();
    LongLane from = new LongLane();
    LongLane count = new LongLane();
    return new SubstringKernel(input, from, count, input, from, count);
  }

  static SubstringKernel toTheEnd() {
    TextLane input = new TextLane();
    LongLane from = new LongLane();
    return new SubstringKernel(input, from, null, input, from);
  }

  private SubstringKernel(TextLane input, LongLane from, LongLane count, Lane... inputs) {
    super(DataType.STRING, inputs);
    this.input = input;
    this.from = from;
    this.count = count;
  }

  @Override
  protected boolean append(int lane, TextOutput output) {
    long first = from.values()[lane];
    long end = Long.MAX_VALUE;
    if (count != null) {
      long length = count.values()[lane];
      if (length < 0) {
        throw new MillraceException(
            ErrorCode.INVALID_ARGUMENT,
            "A substring's length is not negative; use greatest(length, 0): " + length);
      }
      end = first > 0 && length > Long.MAX_VALUE - first ? Long.MAX_VALUE : first + length;
    }
    long skipped = Math.max(first, 1) - 1;
    if (end > skipped + 1) {
      appendPoints(lane, skipped, end - 1 - skipped, output);
    }
    return true;
  }

  private void appendPoints(int lane, long skipped, long taken, TextOutput output) {
    MemorySegment data = input.data();
    long start = input.starts()[lane];
    int length = input.lengths()[lane];
    int left = Utf8.bytesOf(data, start, length, skipped);
    int kept = Utf8.bytesOf(data, start + left, length - left, taken);
    output.append(data, start + left, kept);
  }
}
