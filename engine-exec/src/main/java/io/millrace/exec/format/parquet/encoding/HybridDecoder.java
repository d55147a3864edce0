package io.millrace.exec.format.parquet.encoding;

import java.util.Arrays;

/**
 * The RLE and bit-packing hybrid of levels, dictionary codes and booleans. Values come in order;
 * damaged input throws IndexOutOfBoundsException or IllegalArgumentException.
 */
public final class HybridDecoder {
  private final byte[] data;
  private final int end;
  private final int width;
  private final long mask;
  private int position;
  private int runLeft;
  private int runValue;
  private boolean packed;
  private int packedStart;
  private int packedTaken;

  /**
   * @param width bits per value, 0 to 32
   */
  public HybridDecoder(byte[] data, int position, int end, int width) {
    if (width < 0 || width > 32) {
      throw new IllegalArgumentException("a bit width of " + width);
    }
    this.data = data;
    this.position = position;
    this.end = end;
    this.width = width;
    this.mask = (1L << width) - 1;
  }

  /** Decodes the next {@code count} values. */
  public void read(int[] target, int from, int count) {
    int done = 0;
    while (done < count) {
      if (runLeft == 0) {
        nextRun();
      }
      int taken = Math.min(runLeft, count - done);
      if (packed) {
        unpack(target, from + done, taken);
      } else {
        Arrays.fill(target, from + done, from + done + taken, runValue);
      }
      runLeft -= taken;
      done += taken;
    }
  }

  /**
   * Passes over the next values while they are one run of the given value.
   *
   * @return how many, at most {@code most}; 0 when the next value is packed or another one
   */
  public int skipRunOf(int value, int most) {
    if (runLeft == 0) {
      nextRun();
    }
    if (packed || runValue != value) {
      return 0;
    }
    int taken = Math.min(runLeft, most);
    runLeft -= taken;
    return taken;
  }

  /** Passes over the next {@code count} values. */
  public void skip(int count) {
    int left = count;
    while (left > 0) {
      if (runLeft == 0) {
        nextRun();
      }
      int taken = Math.min(runLeft, left);
      packedTaken += packed ? taken : 0;
      runLeft -= taken;
      left -= taken;
    }
  }

  private void nextRun() {
    if (width == 0) {
      packed = false;
      runValue = 0;
      runLeft = Integer.MAX_VALUE;
      return;
    }
    int header = varint();
    if ((header & 1) == 0) {
      packed = false;
      runLeft = header >>> 1;
      runValue = 0;
      if (position + (width + 7) / 8 > end) {
        throw new IllegalArgumentException("a run that ends outside of its page");
      }
      for (int index = 0; index < (width + 7) / 8; index++) {
        runValue |= (data[position++] & 0xFF) << (8 * index);
      }
    } else {
      int groups = header >>> 1;
      packed = true;
      packedStart = position;
      packedTaken = 0;
      // The last group may be cut off at the end of the data: its missing values are never asked
      // for.
      long bytes = Math.min((long) groups * width, end - position);
      runLeft = (int) Math.min((long) groups * 8, bytes * 8 / width);
      position += (int) bytes;
    }
    if (runLeft <= 0) {
      throw new IllegalArgumentException("an empty run");
    }
  }

  private int varint() {
    int value = 0;
    for (int shift = 0; shift < 35; shift += 7) {
      if (position >= end) {
        throw new IllegalArgumentException("fewer values than announced");
      }
      int next = data[position++];
      value |= (next & 0x7F) << shift;
      if (next >= 0) {
        return value;
      }
    }
    throw new IllegalArgumentException("a run header that is too long");
  }

  private void unpack(int[] target, int from, int count) {
    int index = 0;
    int last = data.length - 8;
    // Eight values of a byte or less lie in one word, when the first begins on a byte.
    if (width <= 8 && (packedTaken & 7) == 0) {
      int at = packedStart + (packedTaken >>> 3) * width;
      int low = (int) mask;
      for (; index + 8 <= count && at <= last; index += 8) {
        long word = LittleEndian.int64(data, at);
        int to = from + index;
        target[to] = (int) word & low;
        target[to + 1] = (int) (word >>> width) & low;
        target[to + 2] = (int) (word >>> 2 * width) & low;
        target[to + 3] = (int) (word >>> 3 * width) & low;
        target[to + 4] = (int) (word >>> 4 * width) & low;
        target[to + 5] = (int) (word >>> 5 * width) & low;
        target[to + 6] = (int) (word >>> 6 * width) & low;
        target[to + 7] = (int) (word >>> 7 * width) & low;
        at += width;
      }
    }
    // Eight bytes are read at once while they are there; the rest goes byte by byte.
    if (width <= 56) {
      for (; index < count; index++) {
        long bit = (long) (packedTaken + index) * width;
        int at = packedStart + (int) (bit >>> 3);
        if (at > last) {
          break;
        }
        target[from + index] = (int) ((LittleEndian.int64(data, at) >>> (bit & 7)) & mask);
      }
    }
    for (; index < count; index++) {
      target[from + index] = slow((long) (packedTaken + index) * width);
    }
    packedTaken += count;
  }

  private int slow(long bit) {
    int at = packedStart + (int) (bit >>> 3);
    long word = 0;
    for (int index = 0; index < 8 && at + index < data.length; index++) {
      word |= (data[at + index] & 0xFFL) << (8 * index);
    }
    return (int) ((word >>> (bit & 7)) & mask);
  }
}
