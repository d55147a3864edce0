package io.millrace.exec.format.parquet.write;

import io.millrace.core.batch.FlatVector;
import io.millrace.core.batch.Layouts;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.exec.format.parquet.encoding.LittleEndian;
import java.lang.foreign.MemorySegment;

/** Takes values from vectors in their stored form. Not thread-safe. */
final class StoredValue {
  private static final long NANOS_PER_MILLI = 1_000_000L;
  private static final long UINT32_LIMIT = 1L << 32;

  private final StoredLeaf stored;
  private byte[] bytes = new byte[16];
  private int length;

  StoredValue(StoredLeaf stored) {
    this.stored = stored;
    this.length = Math.max(1, stored.width());
  }

  /** The last value taken; its first {@link #length} bytes count. */
  byte[] bytes() {
    return bytes;
  }

  int length() {
    return length;
  }

  /**
   * Takes a value that is not null.
   *
   * @throws MillraceException MALFORMED_VALUE for one that cannot be stored
   */
  void take(FlatVector values, int row) {
    switch (stored.rule()) {
      case BOOLEAN -> bytes[0] = (byte) (values.booleanAt(row) ? 1 : 0);
      case NUMBER, UNSIGNED -> putInteger(values.longAt(row));
      case SECONDS -> putMillis(values.longAt(row));
      case FLOAT, FIXED_BYTES -> {
        long from = values.byteOffsetAt(row);
        copy(values.values(), from, values.layout().byteWidth());
      }
      case SHORT_DECIMAL -> putInteger(values.values().get(Layouts.INT64, 16L * row));
      case LONG_DECIMAL -> {
        for (int index = 0; index < 16; index++) {
          bytes[index] = values.values().get(Layouts.INT8, 16L * row + 15 - index);
        }
      }
      case INTERVAL -> putInterval(values.values(), 16L * row);
      case BYTES, TEXT -> copy(values.values(), values.byteOffsetAt(row), values.byteLengthAt(row));
    }
  }

  private void putInteger(long value) {
    if (stored.width() == 8) {
      LittleEndian.putInt64(bytes, 0, value);
    } else {
      LittleEndian.putInt32(bytes, 0, (int) value);
    }
  }

  private void putMillis(long seconds) {
    if (Math.abs(seconds) > Long.MAX_VALUE / 1000) {
      throw new MillraceException(
          ErrorCode.MALFORMED_VALUE,
          "Parquet holds milliseconds, and this count of seconds is too large for them: "
              + seconds);
    }
    putInteger(seconds * 1000);
  }

  private void putInterval(MemorySegment values, long from) {
    int months = values.get(Layouts.INT32, from);
    int days = values.get(Layouts.INT32, from + 4);
    long nanos = values.get(Layouts.INT64, from + 8);
    long millis = nanos / NANOS_PER_MILLI;
    if (months < 0
        || days < 0
        || nanos < 0
        || nanos % NANOS_PER_MILLI != 0
        || millis >= UINT32_LIMIT) {
      throw new MillraceException(
          ErrorCode.MALFORMED_VALUE,
          "Parquet's intervals hold months, days and milliseconds, none of them negative: "
              + months
              + " months "
              + days
              + " days "
              + nanos
              + " ns");
    }
    LittleEndian.putInt32(bytes, 0, months);
    LittleEndian.putInt32(bytes, 4, days);
    LittleEndian.putInt32(bytes, 8, (int) millis);
  }

  private void copy(MemorySegment source, long from, int count) {
    if (bytes.length < count) {
      bytes = new byte[Math.max(count, 2 * bytes.length)];
    }
    MemorySegment.copy(source, Layouts.INT8, from, bytes, 0, count);
    length = count;
  }
}
