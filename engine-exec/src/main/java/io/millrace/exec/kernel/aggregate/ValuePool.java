package io.millrace.exec.kernel.aggregate;

import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.Concatenation;
import io.millrace.core.batch.FlatVector;
import io.millrace.core.batch.Gather;
import io.millrace.core.type.DataType;
import io.millrace.exec.kernel.logic.ValueOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Values of any type that are only appended, in chunks; a value's place is its ordinal over all
 * chunks. Places change on compaction.
 */
final class ValuePool implements AutoCloseable {
  /** More chunks than this make finding a place slow. */
  private static final int CHUNK_LIMIT = 32;

  private static final int SMALL_ROWS = 1024;

  private final DataType type;
  private final BufferAllocator allocator;
  private final List<FlatVector> chunks = new ArrayList<>();
  private int[] firstPlaces = new int[CHUNK_LIMIT + 1];
  private int rowCount;
  private int rowsAfterCompaction;

  ValuePool(DataType type, BufferAllocator allocator) {
    this.type = type;
    this.allocator = allocator;
  }

  /** Copies rows of a vector; gives the place of the first. */
  long append(ColumnVector source, int[] rows, int count) {
    int place = rowCount;
    add(Gather.flatten(source, rows, count, allocator));
    if (chunks.size() > CHUNK_LIMIT) {
      FlatVector merged = Concatenation.ofFlat(chunks, allocator);
      chunks.forEach(FlatVector::close);
      chunks.clear();
      rowCount = 0;
      add(merged);
    }
    return place;
  }

  private void add(FlatVector chunk) {
    firstPlaces[chunks.size()] = rowCount;
    chunks.add(chunk);
    rowCount = Math.addExact(rowCount, chunk.length());
    if (firstPlaces.length <= chunks.size()) {
      firstPlaces = Arrays.copyOf(firstPlaces, firstPlaces.length * 2);
    }
  }

  private int chunkOf(long place) {
    int found = Arrays.binarySearch(firstPlaces, 0, chunks.size(), (int) place);
    return found >= 0 ? found : -2 - found;
  }

  /** The sign of the comparison of a row with the value at a place. */
  int compare(ValueOrder order, FlatVector values, int row, long place) {
    int chunk = chunkOf(place);
    return order.compare(values, row, chunks.get(chunk), (int) place - firstPlaces[chunk]);
  }

  /** Whether most of the values are no group's any more. */
  boolean isWorthCompacting(int groupCount) {
    return rowCount > SMALL_ROWS
        && rowCount > 2L * groupCount
        && rowCount > 2L * rowsAfterCompaction;
  }

  /** Keeps only the values at these places, in this order; −1 is skipped. */
  void compact(int[] places) {
    int kept = 0;
    int[] present = new int[places.length];
    for (int place : places) {
      if (place >= 0) {
        present[kept++] = place;
      }
    }
    FlatVector live = gather(Arrays.copyOf(present, kept), allocator);
    close();
    add(live);
    rowsAfterCompaction = kept;
  }

  /** The values at these places, null for −1; owned by the caller. */
  FlatVector gather(int[] places, BufferAllocator target) {
    if (chunks.isEmpty()) {
      return FlatVector.ofNulls(type, places.length, target);
    }
    if (chunks.size() == 1) {
      return Gather.flat(chunks.get(0), places, places.length, target);
    }
    try (FlatVector all = Concatenation.ofFlat(chunks, target)) {
      return Gather.flat(all, places, places.length, target);
    }
  }

  long bytes() {
    long bytes = 0;
    for (FlatVector chunk : chunks) {
      bytes += chunk.retainedBytes();
    }
    return bytes;
  }

  @Override
  public void close() {
    chunks.forEach(FlatVector::close);
    chunks.clear();
    rowCount = 0;
  }
}
