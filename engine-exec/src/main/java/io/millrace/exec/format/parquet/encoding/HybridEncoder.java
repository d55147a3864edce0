package io.millrace.exec.format.parquet.encoding;

/** Writes the RLE and bit-packing hybrid that {@link HybridDecoder} reads. */
public final class HybridEncoder {
  /** A run this long is shorter than the same values packed. */
  private static final int LEAST_RUN = 8;

  private HybridEncoder() {}

  /** Bits that values up to this one take. */
  public static int width(int largest) {
    return Integer.SIZE - Integer.numberOfLeadingZeros(largest);
  }

  /**
   * Appends values.
   *
   * @param width bits of a value, 0 to 32
   */
  public static void write(int[] values, int count, int width, ByteSink target) {
    if (width == 0) {
      if (count > 0) {
        target.writeVarint(count << 1);
      }
      return;
    }
    int packedFrom = 0;
    int at = 0;
    while (at < count) {
      int run = at + 1;
      while (run < count && values[run] == values[at]) {
        run++;
      }
      // Packed values come in groups of eight: a run gives what a group before it still lacks.
      int lacking = (8 - (at - packedFrom & 7)) & 7;
      if (run - at - lacking >= LEAST_RUN) {
        pack(values, packedFrom, at + lacking, width, target);
        run(values[at], run - at - lacking, width, target);
        packedFrom = run;
      }
      at = run;
    }
    pack(values, packedFrom, count, width, target);
  }

  private static void run(int value, int length, int width, ByteSink target) {
    target.writeVarint(length << 1);
    for (int shift = 0; shift < width; shift += 8) {
      target.write(value >>> shift);
    }
  }

  /** Fills the last group with zeros. */
  private static void pack(int[] values, int from, int to, int width, ByteSink target) {
    if (from == to) {
      return;
    }
    int groups = (to - from + 7) / 8;
    target.writeVarint(groups << 1 | 1);
    long word = 0;
    int filled = 0;
    for (int index = from; index < from + 8 * groups; index++) {
      long value = index < to ? values[index] & 0xFFFF_FFFFL : 0;
      word |= value << filled;
      filled += width;
      while (filled >= 8) {
        target.write((int) word);
        word >>>= 8;
        filled -= 8;
      }
    }
  }
}
