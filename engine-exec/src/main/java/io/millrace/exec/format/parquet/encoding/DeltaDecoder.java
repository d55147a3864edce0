package io.millrace.exec.format.parquet.encoding;

/** DELTA_BINARY_PACKED: blocks of zigzag deltas in miniblocks of a bit width each. */
public final class DeltaDecoder {
  /** No writer makes larger blocks; a damaged header must not allocate by what it claims. */
  private static final int BLOCK_LIMIT = 1 << 20;

  private final byte[] data;
  private final int end;
  private int position;
  private final int miniblockCount;
  private final int miniblockValues;
  private final long totalCount;
  private long previous;
  private long read;
  private long minimumDelta;
  private int miniblock;
  private int takenInMiniblock;
  private int widthsAt;
  private int miniblockAt;

  /**
   * @param end where the data end, at the latest
   */
  public DeltaDecoder(byte[] data, int position, int end) {
    this.data = data;
    this.end = end;
    this.position = position;
    long blockValues = unsigned();
    miniblockCount = (int) unsigned();
    totalCount = unsigned();
    if (blockValues <= 0
        || blockValues > BLOCK_LIMIT
        || miniblockCount <= 0
        || blockValues % miniblockCount != 0) {
      throw new IllegalArgumentException("a delta block of " + blockValues + " values");
    }
    miniblockValues = (int) blockValues / miniblockCount;
    previous = zigzag();
    miniblock = miniblockCount;
    takenInMiniblock = miniblockValues;
  }

  /** Values in all. */
  public long totalCount() {
    return totalCount;
  }

  /** Decodes the next values. */
  public void read(long[] target, int from, int count) {
    if (read + count > totalCount) {
      throw new IllegalArgumentException("fewer values than announced");
    }
    for (int index = 0; index < count; index++) {
      if (read == 0) {
        target[from + index] = previous;
      } else {
        if (takenInMiniblock == miniblockValues) {
          nextMiniblock();
        }
        previous += minimumDelta + packed();
        target[from + index] = previous;
      }
      read++;
    }
  }

  private void nextMiniblock() {
    if (miniblock < miniblockCount) {
      miniblockAt += width() * miniblockValues / 8;
      miniblock++;
    }
    if (miniblock >= miniblockCount) {
      position = miniblockAt > position ? miniblockAt : position;
      minimumDelta = zigzag();
      widthsAt = position;
      position += miniblockCount;
      miniblockAt = position;
      miniblock = 0;
    }
    takenInMiniblock = 0;
  }

  private int width() {
    int width = widthsAt + miniblock >= end ? -1 : data[widthsAt + miniblock] & 0xFF;
    if (width < 0 || width > 64) {
      throw new IllegalArgumentException("a delta width of " + width);
    }
    return width;
  }

  private long packed() {
    int width = width();
    long bit = (long) takenInMiniblock * width;
    if (miniblockAt + (bit + width + 7 >>> 3) > end) {
      throw new IllegalArgumentException("fewer values than announced");
    }
    takenInMiniblock++;
    long value = 0;
    int filled = 0;
    while (filled < width) {
      int at = miniblockAt + (int) (bit >>> 3);
      int shift = (int) (bit & 7);
      int taken = Math.min(8 - shift, width - filled);
      long bits = ((data[at] & 0xFF) >>> shift) & ((1L << taken) - 1);
      value |= bits << filled;
      filled += taken;
      bit += taken;
    }
    return value;
  }

  /** Where the data after all values start; legal when all were read. */
  public int endPosition() {
    if (totalCount <= 1) {
      return position;
    }
    // Widths of miniblocks that hold no value are stored, but not their data.
    return miniblockAt + width() * miniblockValues / 8;
  }

  private long unsigned() {
    long value = 0;
    for (int shift = 0; shift < 70; shift += 7) {
      if (position >= end) {
        throw new IllegalArgumentException("fewer values than announced");
      }
      int next = data[position++];
      value |= (long) (next & 0x7F) << shift;
      if (next >= 0) {
        return value;
      }
    }
    throw new IllegalArgumentException("a number that is too long");
  }

  private long zigzag() {
    long value = unsigned();
    return (value >>> 1) ^ -(value & 1);
  }
}
