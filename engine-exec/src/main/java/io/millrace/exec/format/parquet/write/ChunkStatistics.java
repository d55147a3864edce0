package io.millrace.exec.format.parquet.write;

import io.millrace.exec.format.parquet.encoding.LittleEndian;
import java.util.Arrays;
import org.apache.parquet.format.Statistics;
import org.apache.parquet.format.Type;

/**
 * Least and greatest value of a column chunk, in the order that the Parquet specification has for
 * its type. NaN is left out, and zeros are widened to −0.0 and 0.0, as it says.
 */
final class ChunkStatistics {
  /** Longer values would make footers large for little: they are cut, or left out. */
  private static final int VALUE_LIMIT_BYTES = 64;

  private final StoredLeaf stored;
  private long nullCount;
  private boolean seen;
  private long leastInteger;
  private long greatestInteger;
  private double leastReal;
  private double greatestReal;
  private byte[] leastBytes;
  private byte[] greatestBytes;

  ChunkStatistics(StoredLeaf stored) {
    this.stored = stored;
  }

  void addNull() {
    nullCount++;
  }

  /** Looks at a stored value. */
  void see(byte[] bytes, int from, int length) {
    switch (stored.rule()) {
      case BOOLEAN, NUMBER, UNSIGNED, SECONDS, SHORT_DECIMAL -> seeInteger(integer(bytes, from));
      case FLOAT -> seeReal(real(bytes, from));
      case LONG_DECIMAL, BYTES, TEXT, FIXED_BYTES -> seeBytes(bytes, from, length);
      case INTERVAL -> {}
    }
  }

  private long integer(byte[] bytes, int from) {
    if (stored.width() == 0) {
      return bytes[from];
    }
    return stored.width() == 8
        ? LittleEndian.int64(bytes, from)
        : stored.rule() == StoredLeaf.Rule.UNSIGNED
            ? Integer.toUnsignedLong(LittleEndian.int32(bytes, from))
            : LittleEndian.int32(bytes, from);
  }

  private double real(byte[] bytes, int from) {
    return stored.width() == 8
        ? Double.longBitsToDouble(LittleEndian.int64(bytes, from))
        : Float.intBitsToFloat(LittleEndian.int32(bytes, from));
  }

  private void seeInteger(long value) {
    boolean unsigned = stored.rule() == StoredLeaf.Rule.UNSIGNED;
    if (!seen || compare(value, leastInteger, unsigned) < 0) {
      leastInteger = value;
    }
    if (!seen || compare(value, greatestInteger, unsigned) > 0) {
      greatestInteger = value;
    }
    seen = true;
  }

  private static int compare(long left, long right, boolean unsigned) {
    return unsigned ? Long.compareUnsigned(left, right) : Long.compare(left, right);
  }

  private void seeReal(double value) {
    if (Double.isNaN(value)) {
      return;
    }
    leastReal = seen ? Math.min(leastReal, value) : value;
    greatestReal = seen ? Math.max(greatestReal, value) : value;
    seen = true;
  }

  private void seeBytes(byte[] bytes, int from, int length) {
    if (leastBytes == null || compare(bytes, from, length, leastBytes) < 0) {
      leastBytes = Arrays.copyOfRange(bytes, from, from + length);
    }
    if (greatestBytes == null || compare(bytes, from, length, greatestBytes) > 0) {
      greatestBytes = Arrays.copyOfRange(bytes, from, from + length);
    }
    seen = true;
  }

  private int compare(byte[] bytes, int from, int length, byte[] other) {
    if (stored.rule() == StoredLeaf.Rule.LONG_DECIMAL && (bytes[from] < 0) != (other[0] < 0)) {
      return bytes[from] < 0 ? -1 : 1;
    }
    return Arrays.compareUnsigned(bytes, from, from + length, other, 0, other.length);
  }

  /** In the footer's form. */
  Statistics finish() {
    Statistics statistics = new Statistics();
    statistics.setNull_count(nullCount);
    // Halves and intervals have no bounds here.
    boolean half = stored.rule() == StoredLeaf.Rule.FIXED_BYTES && stored.width() == 2;
    if (!seen || half) {
      return statistics;
    }
    switch (stored.rule()) {
      case BOOLEAN, NUMBER, UNSIGNED, SECONDS, SHORT_DECIMAL -> {
        bound(statistics, true, plain(leastInteger));
        bound(statistics, false, plain(greatestInteger));
      }
      case FLOAT -> {
        bound(statistics, true, plain(leastReal == 0 ? -0.0 : leastReal));
        bound(statistics, false, plain(greatestReal == 0 ? 0.0 : greatestReal));
      }
      case LONG_DECIMAL -> {
        bound(statistics, true, leastBytes);
        bound(statistics, false, greatestBytes);
      }
      case BYTES, TEXT, FIXED_BYTES -> {
        if (leastBytes.length <= VALUE_LIMIT_BYTES) {
          bound(statistics, true, leastBytes);
        } else {
          statistics.setMin_value(prefix(leastBytes));
          statistics.setIs_min_value_exact(false);
        }
        if (greatestBytes.length <= VALUE_LIMIT_BYTES) {
          bound(statistics, false, greatestBytes);
        }
      }
      case INTERVAL -> {}
    }
    return statistics;
  }

  private static void bound(Statistics statistics, boolean least, byte[] value) {
    if (least) {
      statistics.setMin_value(value);
      statistics.setIs_min_value_exact(true);
    } else {
      statistics.setMax_value(value);
      statistics.setIs_max_value_exact(true);
    }
  }

  /** A prefix sorts before the whole; text is cut between its characters. */
  private byte[] prefix(byte[] value) {
    int end = VALUE_LIMIT_BYTES;
    while (stored.rule() == StoredLeaf.Rule.TEXT && end > 0 && (value[end] & 0xC0) == 0x80) {
      end--;
    }
    return Arrays.copyOf(value, end);
  }

  private byte[] plain(long value) {
    byte[] bytes = new byte[Math.max(1, stored.width())];
    if (stored.width() == 8) {
      LittleEndian.putInt64(bytes, 0, value);
    } else if (stored.width() == 4) {
      LittleEndian.putInt32(bytes, 0, (int) value);
    } else {
      bytes[0] = (byte) value;
    }
    return bytes;
  }

  private byte[] plain(double value) {
    return plain(
        stored.physical() == Type.DOUBLE
            ? Double.doubleToRawLongBits(value)
            : Float.floatToRawIntBits((float) value));
  }
}
