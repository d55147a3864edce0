package io.millrace.exec.format.parquet.write;

import io.millrace.exec.format.parquet.encoding.ByteSink;
import io.millrace.exec.format.parquet.encoding.LittleEndian;
import java.util.Arrays;

/**
 * The distinct values of a column chunk in the order in which they came, by their stored bytes
 * (without lengths). Not thread-safe.
 */
final class ValueDictionary {
  private static final long MIX = 0x9E3779B97F4A7C15L;

  private final ByteSink bytes = new ByteSink();
  private int[] ends = new int[64];
  private int[] table = new int[256];
  private int count;

  /** Values. */
  int count() {
    return count;
  }

  /** Bytes of all values. */
  int byteCount() {
    return bytes.size();
  }

  byte[] array() {
    return bytes.array();
  }

  int start(int code) {
    return code == 0 ? 0 : ends[code - 1];
  }

  int end(int code) {
    return ends[code];
  }

  /** The code of a value, which is added when it is new. */
  int code(byte[] source, int from, int length) {
    if (2 * count >= table.length) {
      rehash();
    }
    int slot = slot(hash(source, from, length));
    while (table[slot] != 0) {
      int code = table[slot] - 1;
      int start = start(code);
      if (Arrays.equals(bytes.array(), start, ends[code], source, from, from + length)) {
        return code;
      }
      slot = slot + 1 & table.length - 1;
    }
    bytes.write(source, from, length);
    if (count == ends.length) {
      ends = Arrays.copyOf(ends, 2 * count);
    }
    ends[count] = bytes.size();
    table[slot] = ++count;
    return count - 1;
  }

  private int slot(long hash) {
    return (int) (hash >>> 32) & table.length - 1;
  }

  private static long hash(byte[] source, int from, int length) {
    long hash = length;
    int at = from;
    for (; at + 8 <= from + length; at += 8) {
      long word = LittleEndian.int64(source, at);
      hash = (hash ^ word) * MIX;
      hash ^= hash >>> 29;
    }
    for (; at < from + length; at++) {
      hash = (hash ^ source[at]) * MIX;
    }
    return (hash ^ hash >>> 32) * MIX;
  }

  private void rehash() {
    table = new int[2 * table.length];
    for (int code = 0; code < count; code++) {
      int start = start(code);
      int slot = slot(hash(bytes.array(), start, ends[code] - start));
      while (table[slot] != 0) {
        slot = slot + 1 & table.length - 1;
      }
      table[slot] = code + 1;
    }
  }
}
