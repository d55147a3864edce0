package io.millrace.exec.kernel.string;

import io.millrace.core.batch.Layouts;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Order, equality and hash of byte ranges. For UTF-8 this order is that of code points. */
public final class ByteStrings {
  private static final VarHandle WORDS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long ONES = 0x0101_0101_0101_0101L;
  private static final long TOPS = 0x8080_8080_8080_8080L;

  private ByteStrings() {}

  /** Negative, zero or positive, by unsigned bytes; a prefix comes first. */
  public static int compare(
      MemorySegment left,
      long leftStart,
      int leftLength,
      MemorySegment right,
      long rightStart,
      int rightLength) {
    int common = Math.min(leftLength, rightLength);
    int index = 0;
    for (; index + 8 <= common; index += 8) {
      long first = left.get(Layouts.INT64, leftStart + index);
      long second = right.get(Layouts.INT64, rightStart + index);
      if (first != second) {
        return Long.compareUnsigned(Long.reverseBytes(first), Long.reverseBytes(second));
      }
    }
    for (; index < common; index++) {
      int first = left.get(Layouts.INT8, leftStart + index) & 0xff;
      int second = right.get(Layouts.INT8, rightStart + index) & 0xff;
      if (first != second) {
        return first - second;
      }
    }
    return leftLength - rightLength;
  }

  /** Whether both ranges of this length hold the same bytes. */
  public static boolean equal(
      MemorySegment left, long leftStart, MemorySegment right, long rightStart, int length) {
    int index = 0;
    for (; index + 8 <= length; index += 8) {
      if (left.get(Layouts.INT64, leftStart + index)
          != right.get(Layouts.INT64, rightStart + index)) {
        return false;
      }
    }
    for (; index < length; index++) {
      if (left.get(Layouts.INT8, leftStart + index)
          != right.get(Layouts.INT8, rightStart + index)) {
        return false;
      }
    }
    return true;
  }

  /** A hash whose low bits are well mixed. */
  public static int hash(MemorySegment bytes, long start, int length) {
    long hash = length * 0x9E37_79B9_7F4A_7C15L;
    int index = 0;
    for (; index + 8 <= length; index += 8) {
      hash = (hash ^ bytes.get(Layouts.INT64, start + index)) * 0xD6E8_FEB8_6659_FD93L;
      hash ^= hash >>> 32;
    }
    for (; index < length; index++) {
      hash = (hash ^ bytes.get(Layouts.INT8, start + index) & 0xff) * 0x100_0000_01B3L;
    }
    hash = (hash ^ hash >>> 32) * 0xD6E8_FEB8_6659_FD93L;
    return (int) (hash ^ hash >>> 32);
  }

  /**
   * Where one range occurs first in another, counted from the other's start; −1 when it does not.
   */
  public static int indexOf(
      MemorySegment text, long start, int length, MemorySegment search, long from, int searched) {
    if (searched == 0) {
      return 0;
    }
    byte first = search.get(Layouts.INT8, from);
    int last = length - searched;
    for (int index = 0; index <= last; index++) {
      if (text.get(Layouts.INT8, start + index) == first
          && equal(text, start + index, search, from, searched)) {
        return index;
      }
    }
    return -1;
  }

  /** Whether a range holds these bytes. */
  static boolean equal(MemorySegment text, long start, byte[] bytes) {
    int length = bytes.length;
    int index = 0;
    for (; index + 8 <= length; index += 8) {
      if (text.get(Layouts.INT64, start + index) != (long) WORDS.get(bytes, index)) {
        return false;
      }
    }
    for (; index < length; index++) {
      if (text.get(Layouts.INT8, start + index) != bytes[index]) {
        return false;
      }
    }
    return true;
  }

  /**
   * Where these bytes, at least one, occur first in a range, counted from its start; −1 when they
   * do not. Eight places are looked at together: a place is compared when its first two bytes fit.
   */
  static int indexOf(MemorySegment text, long start, int length, byte[] searched) {
    int last = length - searched.length;
    int index = 0;
    if (searched.length > 1) {
      long first = (searched[0] & 0xffL) * ONES;
      long second = (searched[1] & 0xffL) * ONES;
      for (; index <= last && index + 9 <= length; index += 8) {
        long differing =
            text.get(Layouts.INT64, start + index) ^ first
                | text.get(Layouts.INT64, start + index + 1) ^ second;
        // The top bit of each byte that is zero, and of some that are not, above one that is.
        long fitting = differing - ONES & ~differing & TOPS;
        while (fitting != 0) {
          int place = index + (Long.numberOfTrailingZeros(fitting) >>> 3);
          if (place > last) {
            return -1;
          }
          if (equal(text, start + place, searched)) {
            return place;
          }
          fitting &= fitting - 1;
        }
      }
    }
    for (; index <= last; index++) {
      if (text.get(Layouts.INT8, start + index) == searched[0]
          && equal(text, start + index, searched)) {
        return index;
      }
    }
    return -1;
  }
}
