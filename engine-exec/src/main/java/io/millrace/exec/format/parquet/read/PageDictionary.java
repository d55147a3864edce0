package io.millrace.exec.format.parquet.read;

import io.millrace.core.batch.FlatVector;
import io.millrace.core.batch.Layouts;
import java.lang.foreign.MemorySegment;

/**
 * The dictionary of a column chunk: as a vector, and as an array of words for decoding values of
 * fixed width. Owned by its chunk's reader.
 *
 * @param vector its values, none null
 * @param ints values of 4 bytes; null for other widths
 * @param longs values of 8 bytes, or halves of values of 16, low one first; null for other widths
 */
record PageDictionary(FlatVector vector, int[] ints, long[] longs) implements AutoCloseable {

  /** Takes ownership of the vector. */
  static PageDictionary of(FlatVector vector) {
    int[] ints = null;
    long[] longs = null;
    switch (vector.layout().byteWidth()) {
      case 4 -> {
        ints = new int[vector.length()];
        MemorySegment.copy(vector.values(), Layouts.INT32, 0, ints, 0, ints.length);
      }
      case 8, 16 -> {
        longs = new long[vector.length() * (vector.layout().byteWidth() / 8)];
        MemorySegment.copy(vector.values(), Layouts.INT64, 0, longs, 0, longs.length);
      }
      default -> {}
    }
    return new PageDictionary(vector, ints, longs);
  }

  int length() {
    return vector.length();
  }

  @Override
  public void close() {
    vector.close();
  }
}
