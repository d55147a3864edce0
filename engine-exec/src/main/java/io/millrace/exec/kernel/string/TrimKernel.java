package io.millrace.exec.kernel.string;

import io.millrace.core.type.DataType;
import io.millrace.exec.kernel.TextBlockKernel;
import io.millrace.exec.kernel.lane.TextLane;
import io.millrace.exec.kernel.lane.TextOutput;
import java.lang.foreign.MemorySegment;

/** Text without certain code points at its ends. */
final class TrimKernel extends TextBlockKernel {
  private final boolean atStart;
  private final boolean atEnd;
  private final TextLane input;
  private final TextLane characters;

  TrimKernel(boolean atStart, boolean atEnd) {
    this(atStart, atEnd, new TextLane(), new TextLane());
  }

  private TrimKernel(boolean atStart, boolean atEnd, TextLane input, TextLane characters) {
    super(DataType.STRING, input, characters);
    this.atStart = atStart;
    this.atEnd = atEnd;
    this.input = input;
    this.characters = characters;
  }

  @Override
  protected boolean append(int lane, TextOutput output) {
    MemorySegment data = input.data();
    long start = input.starts()[lane];
    int end = input.lengths()[lane];
    int begin = 0;
    while (atStart && begin < end) {
      int next = begin + Utf8.bytesOf(data, start + begin, end - begin, 1);
      if (!isTrimmed(lane, data, start + begin, next - begin)) {
        break;
      }
      begin = next;
    }
    while (atEnd && end > begin) {
      int last = Utf8.before(data, start, end);
      if (!isTrimmed(lane, data, start + last, end - last)) {
        break;
      }
      end = last;
    }
    output.append(data, start + begin, end - begin);
    return true;
  }

  /** Whether the code point of these bytes is one of the characters. */
  private boolean isTrimmed(int lane, MemorySegment data, long start, int length) {
    return ByteStrings.indexOf(
            characters.data(),
            characters.starts()[lane],
            characters.lengths()[lane],
            data,
            start,
            length)
        >= 0;
  }
}
