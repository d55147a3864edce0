package io.millrace.exec.kernel.string;

import io.millrace.core.batch.Layouts;
import io.millrace.core.type.DataType;
import io.millrace.exec.kernel.TextBlockKernel;
import io.millrace.exec.kernel.lane.TextLane;
import io.millrace.exec.kernel.lane.TextOutput;
import java.lang.foreign.MemorySegment;
import java.util.Locale;

/** Upper or lower case, the same in every locale; one code point may become several. */
final class CaseKernel extends TextBlockKernel {
  private final boolean upper;
  private final TextLane input;

  CaseKernel(boolean upper) {
    this(upper, new TextLane());
  }

  private CaseKernel(boolean upper, TextLane input) {
    super(DataType.STRING, input);
    this.upper = upper;
    this.input = input;
  }

  @Override
  protected boolean append(int lane, TextOutput output) {
    MemorySegment data = input.data();
    long start = input.starts()[lane];
    int length = input.lengths()[lane];
    if (!Utf8.isAscii(data, start, length)) {
      String text = Utf8.text(data, start, length);
      output.append(upper ? text.toUpperCase(Locale.ROOT) : text.toLowerCase(Locale.ROOT));
      return true;
    }
    long place = output.reserve(length);
    MemorySegment target = output.memory();
    int first = upper ? 'a' : 'A';
    for (int index = 0; index < length; index++) {
      int letter = data.get(Layouts.INT8, start + index);
      int other = letter - first;
      target.set(
          Layouts.INT8, place + index, (byte) (other >= 0 && other < 26 ? letter ^ 0x20 : letter));
    }
    output.advance(length);
    return true;
  }
}
