package io.millrace.exec.expression;

/** A set of longs by open addressing. */
final class LongTable {
  private final long[] keys;
  private final boolean[] used;
  private final int mask;

  /**
   * @param capacity how many keys will be added at most
   */
  LongTable(int capacity) {
    int size = Integer.highestOneBit(Math.max(4, capacity) * 2 - 1) << 1;
    keys = new long[size];
    used = new boolean[size];
    mask = size - 1;
  }

  private int slot(long key) {
    long hash = key * 0x9E37_79B9_7F4A_7C15L;
    return (int) (hash ^ hash >>> 32) & mask;
  }

  void add(long key) {
    int slot = slot(key);
    while (used[slot] && keys[slot] != key) {
      slot = slot + 1 & mask;
    }
    used[slot] = true;
    keys[slot] = key;
  }

  boolean contains(long key) {
    int slot = slot(key);
    while (used[slot]) {
      if (keys[slot] == key) {
        return true;
      }
      slot = slot + 1 & mask;
    }
    return false;
  }
}
