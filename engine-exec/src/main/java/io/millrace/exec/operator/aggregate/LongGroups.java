package io.millrace.exec.operator.aggregate;

import io.millrace.core.batch.Batch;
import io.millrace.core.batch.FlatVector;
import io.millrace.core.batch.GrowingBuffer;
import io.millrace.core.batch.Layouts;
import io.millrace.core.batch.VectorBuilder;
import io.millrace.core.type.DataType;
import io.millrace.core.type.StorageTypes;
import io.millrace.exec.operator.key.ColumnRows;
import java.lang.foreign.MemorySegment;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Distinct values of one column of up to 64 bits, numbered in the order in which they came; null is
 * a value too. What a {@code KeyTable} does, without encoding keys: a slot holds a number plus one,
 * the values stand by number.
 */
final class LongGroups implements AutoCloseable {
  private static final int FIRST_SLOTS = 1024;
  private static final long SPREAD = 0x9E37_79B9_7F4A_7C15L;

  private final DataType type;
  private final BufferAllocator allocator;
  private final GrowingBuffer values;
  private long[] rows = new long[0];
  private int[] positions = new int[0];
  private int rowCount;
  private ArrowBuf slotBuffer;
  private MemorySegment slots;
  private int slotCount;
  private int size;

  /** The number of null; −1 before it has come. */
  private int nullNumber = -1;

  LongGroups(DataType type, BufferAllocator allocator) {
    this.type = type;
    this.allocator = allocator;
    this.values = new GrowingBuffer(allocator);
  }

  /** Whether equal values of the type are equal 64-bit numbers. */
  static boolean takes(DataType type) {
    return switch (StorageTypes.of(type)) {
      case DataType.Int plain -> true;
      case DataType.Date plain -> true;
      case DataType.Time plain -> true;
      case DataType.Timestamp plain -> true;
      case DataType.Duration plain -> true;
      default -> false;
    };
  }

  int size() {
    return size;
  }

  /** Bytes held. */
  long bytes() {
    return 4L * slotCount + values.capacity();
  }

  /** Bytes held at most while and after the prepared rows are added. */
  long bytesWithPrepared() {
    long slotsNeeded = slotCountFor((long) size + rowCount);
    long slotBytes = 4L * slotCount + (slotsNeeded == slotCount ? 0 : 4L * slotsNeeded);
    long needed = values.size() + 8L * rowCount;
    long valueBytes =
        needed <= values.capacity()
            ? values.capacity()
            : values.capacity() + Long.highestOneBit(Math.max(64, needed)) * 2;
    return slotBytes + valueBytes;
  }

  private static long slotCountFor(long keyCount) {
    long count = FIRST_SLOTS;
    while (count < keyCount * 2) {
      count <<= 1;
    }
    return count;
  }

  /** Reads the column; {@link #assign} numbers its rows. */
  void prepare(Batch batch, int column) {
    rowCount = batch.rowCount();
    if (rows.length < rowCount) {
      rows = new long[rowCount];
      positions = new int[rowCount];
    }
    ColumnRows read = ColumnRows.of(batch.column(column), batch.selection(), rowCount, positions);
    positions = read.positions();
    FlatVector flat = read.values();
    MemorySegment memory = flat.values();
    switch (flat.layout().byteWidth()) {
      case 4 -> {
        for (int row = 0; row < rowCount; row++) {
          int position = positions[row];
          rows[row] = position < 0 ? 0 : memory.get(Layouts.INT32, 4L * position);
        }
      }
      case 8 -> {
        for (int row = 0; row < rowCount; row++) {
          int position = positions[row];
          rows[row] = position < 0 ? 0 : memory.get(Layouts.INT64, 8L * position);
        }
      }
      default -> {
        for (int row = 0; row < rowCount; row++) {
          rows[row] = positions[row] < 0 ? 0 : flat.longAt(positions[row]);
        }
      }
    }
  }

  /** The number of each prepared row. */
  void assign(int[] numbers) {
    ensureSlots();
    int last = -1;
    long lastValue = 0;
    for (int row = 0; row < rowCount; row++) {
      if (positions[row] < 0) {
        numbers[row] = numberOfNull();
        continue;
      }
      long value = rows[row];
      // sorted input brings equal values one after the other
      if (last < 0 || value != lastValue) {
        last = number(value);
        lastValue = value;
      }
      numbers[row] = last;
    }
  }

  private int numberOfNull() {
    if (nullNumber < 0) {
      nullNumber = size++;
      values.appendInt64(0);
    }
    return nullNumber;
  }

  private int number(long value) {
    int mask = slotCount - 1;
    int slot = slot(value) & mask;
    MemorySegment known = values.segment();
    while (true) {
      int entry = slots.get(Layouts.INT32, 4L * slot);
      if (entry == 0) {
        slots.set(Layouts.INT32, 4L * slot, size + 1);
        values.appendInt64(value);
        return size++;
      }
      if (known.get(Layouts.INT64, 8L * (entry - 1)) == value) {
        return entry - 1;
      }
      slot = slot + 1 & mask;
    }
  }

  private static int slot(long value) {
    long hash = value * SPREAD;
    return (int) (hash ^ hash >>> 32);
  }

  private void ensureSlots() {
    int needed = Math.toIntExact(slotCountFor((long) size + rowCount));
    if (needed <= slotCount) {
      return;
    }
    ArrowBuf larger = allocator.buffer(4L * needed);
    MemorySegment target = MemorySegment.ofAddress(larger.memoryAddress()).reinterpret(4L * needed);
    target.fill((byte) 0);
    int mask = needed - 1;
    MemorySegment known = values.segment();
    for (int number = 0; number < size; number++) {
      if (number != nullNumber) {
        int slot = slot(known.get(Layouts.INT64, 8L * number)) & mask;
        while (target.get(Layouts.INT32, 4L * slot) != 0) {
          slot = slot + 1 & mask;
        }
        target.set(Layouts.INT32, 4L * slot, number + 1);
      }
    }
    if (slotBuffer != null) {
      slotBuffer.close();
    }
    slotBuffer = larger;
    slots = target;
    slotCount = needed;
  }

  /** The values of a range of numbers; owned by the caller. */
  FlatVector column(int first, int count, BufferAllocator target) {
    MemorySegment known = values.segment();
    try (VectorBuilder builder = new VectorBuilder(type, target)) {
      for (int number = first; number < first + count; number++) {
        if (number == nullNumber) {
          builder.appendNull();
        } else {
          builder.appendLong(known.get(Layouts.INT64, 8L * number));
        }
      }
      return builder.finish();
    }
  }

  /** Bytes of all values. */
  long keyBytes() {
    return values.size();
  }

  /** Forgets all values and releases the memory. */
  void clear() {
    values.close();
    if (slotBuffer != null) {
      slotBuffer.close();
      slotBuffer = null;
    }
    slots = null;
    slotCount = 0;
    size = 0;
    nullNumber = -1;
  }

  @Override
  public void close() {
    clear();
  }
}
