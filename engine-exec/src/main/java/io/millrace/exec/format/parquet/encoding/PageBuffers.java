package io.millrace.exec.format.parquet.encoding;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Arrays for compressed chunks and decompressed pages, used again and again: fresh ones would be
 * zeroed first and cold in the processor's caches. Thread-safe.
 */
public final class PageBuffers {
  /** Smaller arrays are not worth the lock. */
  private static final int LEAST_BYTES = 4 << 10;

  /** Size classes: four for each power of two. */
  private static final int CLASS_COUNT = 4 * Integer.SIZE;

  private final long limitBytes;
  private final Deque<byte[]>[] free;
  private long freeBytes;

  /**
   * @param limitBytes most bytes that lie idle; further arrays are left to the garbage collector
   */
  @SuppressWarnings({"unchecked", "rawtypes"})
  public PageBuffers(long limitBytes) {
    this.limitBytes = limitBytes;
    this.free = new Deque[CLASS_COUNT];
  }

  /** For one process: a sixteenth of the Java heap. */
  public static PageBuffers ofHeap() {
    return new PageBuffers(Runtime.getRuntime().maxMemory() / 16);
  }

  /** An array of at least so many bytes, which hold anything. */
  public byte[] take(int size) {
    if (size < LEAST_BYTES) {
      return new byte[size];
    }
    int sizeClass = classOf(size);
    synchronized (this) {
      byte[] known = free[sizeClass] == null ? null : free[sizeClass].pollLast();
      if (known != null) {
        freeBytes -= known.length;
        return known;
      }
    }
    return new byte[sizeOf(sizeClass, size)];
  }

  /** Gives an array back that nobody uses any more; null does nothing. */
  public void give(byte[] array) {
    if (array == null || array.length < LEAST_BYTES) {
      return;
    }
    int sizeClass = classOf(array.length);
    if (sizeOf(sizeClass, array.length) != array.length) {
      return;
    }
    synchronized (this) {
      if (freeBytes + array.length <= limitBytes) {
        if (free[sizeClass] == null) {
          free[sizeClass] = new ArrayDeque<>();
        }
        free[sizeClass].addLast(array);
        freeBytes += array.length;
      }
    }
  }

  private static int classOf(int size) {
    int power = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(size - 1);
    return 4 * power + (size - 1 >>> power - 2 & 3);
  }

  /** The size of a class; what is asked for where that has no place in an int. */
  private static int sizeOf(int sizeClass, int size) {
    int power = sizeClass >>> 2;
    long classSize = (1L << power) + ((sizeClass & 3) + 1L << power - 2);
    return classSize > Integer.MAX_VALUE - 64 ? size : (int) classSize;
  }
}
