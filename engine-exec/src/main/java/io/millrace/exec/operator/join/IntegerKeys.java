package io.millrace.exec.operator.join;

import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.FlatVector;
import io.millrace.core.batch.Layouts;
import io.millrace.core.type.DataType;
import io.millrace.core.type.StorageTypes;
import io.millrace.exec.operator.key.ColumnRows;
import java.lang.foreign.MemorySegment;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Numbers of the distinct values of one integer key column, in the order in which they came. Where
 * the values lie near enough, an array by value (a perfect hash); else open addressing with linear
 * probing. Off-heap; filled by one thread, then read by many.
 */
final class IntegerKeys implements AutoCloseable {
  /** An array may have this many places a row. */
  private static final int PLACES_PER_ROW = 8;

  private static final long FEWEST_PLACES = 1 << 16;
  private static final long MOST_PLACES = 1 << 28;

  private final boolean dense;
  private final long least;
  private final long greatest;
  private final int mask;

  /** Number plus one by place, 0 for none. */
  private final ArrowBuf numberBuffer;

  private final MemorySegment numbers;

  /** The key of each place; null when dense. */
  private final ArrowBuf keyBuffer;

  private final MemorySegment keys;
  private int size;

  private IntegerKeys(boolean dense, long least, long greatest, long places, BufferAllocator from) {
    this.dense = dense;
    this.least = least;
    this.greatest = greatest;
    this.mask = (int) places - 1;
    this.numberBuffer = from.buffer(4 * places);
    this.numbers = JoinTable.segment(numberBuffer);
    numbers.fill((byte) 0);
    this.keyBuffer = dense ? null : from.buffer(8 * places);
    this.keys = dense ? null : JoinTable.segment(keyBuffer);
  }

  /** Whether keys of this type can be numbered here. */
  static boolean fits(DataType type) {
    return switch (StorageTypes.of(type)) {
      case DataType.Int number -> true;
      case DataType.Date plain -> true;
      case DataType.Time plain -> true;
      case DataType.Timestamp plain -> true;
      case DataType.Duration plain -> true;
      default -> false;
    };
  }

  /** Bytes for this many rows at most. */
  static long mostBytes(long rowCount) {
    return Math.max(4 * Math.max(FEWEST_PLACES, PLACES_PER_ROW * rowCount), 12 * slots(rowCount));
  }

  private static long slots(long rowCount) {
    return Long.highestOneBit(Math.max(512, 2 * rowCount) - 1) << 1;
  }

  /** Empty, for the values of the column. */
  static IntegerKeys of(ColumnVector column, BufferAllocator allocator) {
    int rowCount = column.length();
    long least = Long.MAX_VALUE;
    long greatest = Long.MIN_VALUE;
    ColumnRows view = ColumnRows.of(column, null, rowCount, new int[0]);
    FlatVector values = view.values();
    int[] positions = view.positions();
    for (int row = 0; row < rowCount; row++) {
      if (positions[row] >= 0) {
        long value = values.longAt(positions[row]);
        least = Math.min(least, value);
        greatest = Math.max(greatest, value);
      }
    }
    if (least > greatest) {
      return new IntegerKeys(true, 0, -1, 1, allocator);
    }
    long places = greatest - least + 1;
    boolean dense =
        places > 0
            && places <= MOST_PLACES
            && places <= Math.max(FEWEST_PLACES, (long) PLACES_PER_ROW * rowCount);
    return new IntegerKeys(dense, least, greatest, dense ? places : slots(rowCount), allocator);
  }

  int size() {
    return size;
  }

  long bytes() {
    return numberBuffer.capacity() + (keyBuffer == null ? 0 : keyBuffer.capacity());
  }

  /** Finds or adds the value of each row; −1 for null. */
  void assign(ColumnVector column, int[] out) {
    int count = column.length();
    ColumnRows view = ColumnRows.of(column, null, count, new int[0]);
    FlatVector values = view.values();
    int[] positions = view.positions();
    for (int row = 0; row < count; row++) {
      out[row] = positions[row] < 0 ? -1 : assign(values.longAt(positions[row]));
    }
  }

  private int assign(long value) {
    long place = 4L * (dense ? (int) (value - least) : slot(value));
    int number = numbers.get(Layouts.INT32, place);
    if (number == 0) {
      number = ++size;
      numbers.set(Layouts.INT32, place, number);
      if (!dense) {
        keys.set(Layouts.INT64, 2 * place, value);
      }
    }
    return number - 1;
  }

  /** Where the value is, or would be. */
  private int slot(long value) {
    int slot = (int) (value * 0x9e37_79b9_7f4a_7c15L >>> 32) & mask;
    while (numbers.get(Layouts.INT32, 4L * slot) != 0
        && keys.get(Layouts.INT64, 8L * slot) != value) {
      slot = slot + 1 & mask;
    }
    return slot;
  }

  /** Finds the value of each selected row; −1 when it is not there or null. */
  void find(ColumnVector column, int[] selection, int count, int[] scratch, int[] out) {
    ColumnRows view = ColumnRows.of(column, selection, count, scratch);
    FlatVector values = view.values();
    int[] positions = view.positions();
    int width = values.layout().byteWidth();
    if (width == 8) {
      findLongs(values.values(), positions, count, out);
    } else if (width == 4 && values.layout().signed()) {
      findInts(values.values(), positions, count, out);
    } else {
      for (int row = 0; row < count; row++) {
        out[row] = positions[row] < 0 ? -1 : find(values.longAt(positions[row]));
      }
    }
  }

  private void findLongs(MemorySegment values, int[] positions, int count, int[] out) {
    for (int row = 0; row < count; row++) {
      int position = positions[row];
      out[row] = position < 0 ? -1 : find(values.get(Layouts.INT64, 8L * position));
    }
  }

  private void findInts(MemorySegment values, int[] positions, int count, int[] out) {
    for (int row = 0; row < count; row++) {
      int position = positions[row];
      out[row] = position < 0 ? -1 : find(values.get(Layouts.INT32, 4L * position));
    }
  }

  private int find(long value) {
    if (value < least || value > greatest) {
      return -1;
    }
    return numbers.get(Layouts.INT32, 4L * (dense ? (int) (value - least) : slot(value))) - 1;
  }

  @Override
  public void close() {
    numberBuffer.close();
    if (keyBuffer != null) {
      keyBuffer.close();
    }
  }
}
