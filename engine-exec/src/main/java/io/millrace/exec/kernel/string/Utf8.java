package io.millrace.exec.kernel.string;

import io.millrace.core.batch.Layouts;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/** Code points in UTF-8 bytes. Text in columns is valid UTF-8. */
public final class Utf8 {
  private static final long HIGH_BITS = 0x8080_8080_8080_8080L;

  private Utf8() {}

  /** Whether all bytes are ASCII. */
  public static boolean isAscii(MemorySegment bytes, long start, int length) {
    long seen = 0;
    int index = 0;
    for (; index + 8 <= length; index += 8) {
      seen |= bytes.get(Layouts.INT64, start + index);
    }
    for (; index < length; index++) {
      seen |= bytes.get(Layouts.INT8, start + index);
    }
    return (seen & HIGH_BITS) == 0;
  }

  /** Code points in a range of bytes: those bytes that continue none. */
  public static int length(MemorySegment bytes, long start, int length) {
    int count = 0;
    for (int index = 0; index < length; index++) {
      count += (bytes.get(Layouts.INT8, start + index) & 0xC0) != 0x80 ? 1 : 0;
    }
    return count;
  }

  /** Bytes of the code point that starts with this byte. */
  static int width(byte first) {
    if (first >= 0) {
      return 1;
    }
    return (first & 0xE0) == 0xC0 ? 2 : (first & 0xF0) == 0xE0 ? 3 : 4;
  }

  /** Bytes of the first {@code points} code points of a range; all of it when it has fewer. */
  static int bytesOf(MemorySegment bytes, long start, int length, long points) {
    int index = 0;
    for (long passed = 0; passed < points && index < length; passed++) {
      index += width(bytes.get(Layouts.INT8, start + index));
    }
    return Math.min(index, length);
  }

  /** Where the code point before {@code end} starts; {@code end} is above 0. */
  static int before(MemorySegment bytes, long start, int end) {
    int index = end - 1;
    while (index > 0 && (bytes.get(Layouts.INT8, start + index) & 0xC0) == 0x80) {
      index--;
    }
    return index;
  }

  /** A copy as text. */
  public static String text(MemorySegment bytes, long start, int length) {
    byte[] copy = new byte[length];
    MemorySegment.copy(bytes, Layouts.INT8, start, copy, 0, length);
    return new String(copy, StandardCharsets.UTF_8);
  }
}
