package io.millrace.core.batch;

import java.lang.foreign.MemorySegment;

/** Operations on Arrow bitmaps: bit i is bit (i mod 8), from the lowest, of byte (i / 8). */
public final class Bits {
  private Bits() {}

  /** Bytes that hold this many bits. */
  public static long byteCount(long bitCount) {
    return (bitCount + 7) >>> 3;
  }

  public static boolean get(MemorySegment bits, long index) {
    return (bits.get(Layouts.INT8, index >>> 3) >>> (index & 7) & 1) != 0;
  }

  public static void set(MemorySegment bits, long index, boolean value) {
    byte old = bits.get(Layouts.INT8, index >>> 3);
    int mask = 1 << (index & 7);
    bits.set(Layouts.INT8, index >>> 3, (byte) (value ? old | mask : old & ~mask));
  }

  /** Sets all bits from 0 to count − 1; bits after them in the last byte become zero. */
  public static void fill(MemorySegment bits, long count, boolean value) {
    long whole = count >>> 3;
    bits.asSlice(0, whole).fill((byte) (value ? 0xff : 0));
    if ((count & 7) != 0) {
      bits.set(Layouts.INT8, whole, (byte) (value ? (1 << (count & 7)) - 1 : 0));
    }
  }

  /** Sets {@code count} bits from the given one; others stay as they are. */
  public static void setRange(MemorySegment bits, long index, long count) {
    long done = 0;
    while (done < count && (index + done & 7) != 0) {
      set(bits, index + done, true);
      done++;
    }
    long bytes = count - done >>> 3;
    bits.asSlice(index + done >>> 3, bytes).fill((byte) 0xff);
    for (done += bytes << 3; done < count; done++) {
      set(bits, index + done, true);
    }
  }

  /** How many of the first {@code count} bits are zero. */
  public static int countZeros(MemorySegment bits, long count) {
    long ones = 0;
    long words = count >>> 6;
    for (long word = 0; word < words; word++) {
      ones += Long.bitCount(bits.get(Layouts.INT64, word << 3));
    }
    for (long index = words << 6; index < count; index++) {
      ones += get(bits, index) ? 1 : 0;
    }
    return Math.toIntExact(count - ones);
  }

  /** Copies bits between maps at any positions; other bits of the target stay as they are. */
  public static void copy(
      MemorySegment source, long sourceIndex, MemorySegment target, long targetIndex, long count) {
    long done = 0;
    while (done < count && (targetIndex + done & 7) != 0) {
      set(target, targetIndex + done, get(source, sourceIndex + done));
      done++;
    }
    long bytes = count - done >>> 3;
    if (bytes > 0) {
      copyToByteBoundary(source, sourceIndex + done, target, targetIndex + done >>> 3, bytes);
      done += bytes << 3;
    }
    while (done < count) {
      set(target, targetIndex + done, get(source, sourceIndex + done));
      done++;
    }
  }

  private static void copyToByteBoundary(
      MemorySegment source, long sourceIndex, MemorySegment target, long targetByte, long bytes) {
    long sourceByte = sourceIndex >>> 3;
    int shift = (int) (sourceIndex & 7);
    if (shift == 0) {
      MemorySegment.copy(source, sourceByte, target, targetByte, bytes);
      return;
    }
    int current = source.get(Layouts.INT8, sourceByte) & 0xff;
    for (long index = 0; index < bytes; index++) {
      int next = source.get(Layouts.INT8, sourceByte + index + 1) & 0xff;
      target.set(Layouts.INT8, targetByte + index, (byte) (current >>> shift | next << 8 - shift));
      current = next;
    }
  }
}
