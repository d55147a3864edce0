package io.millrace.exec.format.parquet.encoding;

import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/** Bytes that grow while they are written, numbers little-endian. Not thread-safe. */
public final class ByteSink extends OutputStream {
  private byte[] bytes = new byte[256];
  private int size;

  public int size() {
    return size;
  }

  /** The bytes, of which the first {@link #size} count; valid until the next write. */
  public byte[] array() {
    return bytes;
  }

  public void clear() {
    size = 0;
  }

  private void reserve(int count) {
    if (count > bytes.length - size) {
      // Fails above 2 GiB, long after any page is closed.
      int wanted = Math.addExact(size, count);
      bytes =
          Arrays.copyOf(bytes, (int) Math.min(Integer.MAX_VALUE - 8, Math.max(wanted, 2L * size)));
    }
  }

  @Override
  public void write(int value) {
    reserve(1);
    bytes[size++] = (byte) value;
  }

  @Override
  public void write(byte[] source, int from, int count) {
    reserve(count);
    System.arraycopy(source, from, bytes, size, count);
    size += count;
  }

  public void write(MemorySegment source, long from, int count) {
    reserve(count);
    MemorySegment.copy(source, ValueLayout.JAVA_BYTE, from, bytes, size, count);
    size += count;
  }

  public void writeInt32(int value) {
    reserve(4);
    LittleEndian.putInt32(bytes, size, value);
    size += 4;
  }

  public void writeInt64(long value) {
    reserve(8);
    LittleEndian.putInt64(bytes, size, value);
    size += 8;
  }

  /** Overwrites a number that was written before. */
  public void putInt32(int offset, int value) {
    LittleEndian.putInt32(bytes, offset, value);
  }

  public void writeVarint(int value) {
    int rest = value;
    while ((rest & ~0x7F) != 0) {
      write(rest & 0x7F | 0x80);
      rest >>>= 7;
    }
    write(rest);
  }
}
