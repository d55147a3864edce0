package io.millrace.exec.kernel.cast;

import io.millrace.core.batch.Layouts;
import io.millrace.core.type.DataType;
import io.millrace.exec.kernel.lane.LongOutput;
import io.millrace.exec.kernel.lane.TextLane;
import io.millrace.exec.kernel.math.IntegerRange;
import io.millrace.exec.kernel.string.Utf8;
import java.lang.foreign.MemorySegment;

/** Conversion of text to integers: a sign and digits, without a point. */
final class TextToInteger extends CastBlock {
  private final boolean unsigned64;
  private final long least;
  private final long greatest;
  private final TextLane input;
  private final long[] result;

  TextToInteger(DataType.Int to, CastRequest request) {
    this(to, request, new TextLane(), new LongOutput(to));
  }

  private TextToInteger(DataType.Int to, CastRequest request, TextLane input, LongOutput output) {
    super(request, input, output);
    this.unsigned64 = !to.signed() && to.bits() == 64;
    this.least = IntegerRange.least(to);
    this.greatest = IntegerRange.greatest(to);
    this.input = input;
    this.result = output.values();
  }

  @Override
  boolean convert(int lane) {
    MemorySegment data = input.data();
    long from = input.starts()[lane];
    long to = from + input.lengths()[lane];
    while (from < to && data.get(Layouts.INT8, from) == ' ') {
      from++;
    }
    while (from < to && data.get(Layouts.INT8, to - 1) == ' ') {
      to--;
    }
    boolean negative = from < to && data.get(Layouts.INT8, from) == '-';
    if (negative || from < to && data.get(Layouts.INT8, from) == '+') {
      from++;
    }
    return from < to && convertDigits(lane, data, from, to, negative);
  }

  private boolean convertDigits(
      int lane, MemorySegment data, long from, long to, boolean negative) {
    long number = 0;
    for (long index = from; index < to; index++) {
      int digit = data.get(Layouts.INT8, index) - '0';
      if (digit < 0 || digit > 9) {
        return false;
      }
      // The number is kept unsigned: it may hold 2^63 for the least int64.
      if (Long.compareUnsigned(number, 1_844_674_407_370_955_161L) > 0
          || number == 1_844_674_407_370_955_161L && digit > 5) {
        return false;
      }
      number = number * 10 + digit;
    }
    if (unsigned64) {
      result[lane] = number;
      return !negative || number == 0;
    }
    result[lane] = negative ? -number : number;
    return negative ? Long.compareUnsigned(number, -least) <= 0 : number >= 0 && number <= greatest;
  }

  @Override
  String describe(int lane) {
    return Utf8.text(input.data(), input.starts()[lane], input.lengths()[lane]);
  }
}
