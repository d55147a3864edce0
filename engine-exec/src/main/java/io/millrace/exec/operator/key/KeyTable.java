package io.millrace.exec.operator.key;

import io.millrace.core.batch.FlatVector;
import io.millrace.core.batch.GrowingBuffer;
import io.millrace.core.batch.Layouts;
import io.millrace.core.batch.VectorBuilder;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Distinct keys, numbered in the order in which they came. Open addressing with linear probing,
 * off-heap: a slot holds the upper half of the hash and the number plus one; the key words stand in
 * an arena by number. Filled by one thread, then read by many.
 */
public final class KeyTable implements AutoCloseable {
  private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;
  private static final int FIRST_SLOTS = 1024;

  private final KeyLayout layout;
  private final BufferAllocator allocator;
  private final GrowingBuffer keys;

  /** End of each key in the arena, in words; unused when keys have one length. */
  private final GrowingBuffer ends;

  private ArrowBuf slotBuffer;
  private MemorySegment slots;
  private int slotCount;
  private int size;

  /** An empty table for keys like these; holds no memory before the first key. */
  public KeyTable(KeyRows rows, BufferAllocator allocator) {
    this.layout = rows.layout();
    this.allocator = allocator;
    this.keys = new GrowingBuffer(allocator);
    this.ends = new GrowingBuffer(allocator);
  }

  /** Distinct keys. */
  public int size() {
    return size;
  }

  /** Bytes held. */
  public long bytes() {
    return 8L * slotCount + keys.capacity() + ends.capacity();
  }

  /** Bytes held at most while and after the rows encoded last are added. */
  public long bytesWith(KeyRows rows) {
    long slotsNeeded = slotCountFor((long) size + rows.count());
    long slotBytes = slotsNeeded == slotCount ? 8L * slotCount : 8L * slotCount + 8L * slotsNeeded;
    long keyBytes = grown(keys, 8L * rows.wordCount());
    long endBytes = layout.variable() ? grown(ends, 8L * rows.count()) : 0;
    return slotBytes + keyBytes + endBytes;
  }

  /** A growing buffer holds old and new while it copies; the new may be twice the old. */
  private static long grown(GrowingBuffer buffer, long more) {
    long needed = buffer.size() + more;
    return needed <= buffer.capacity()
        ? buffer.capacity()
        : buffer.capacity() + Long.highestOneBit(Math.max(64, needed)) * 2;
  }

  private static long slotCountFor(long keyCount) {
    long slots = FIRST_SLOTS;
    while (slots < keyCount * 2) {
      slots <<= 1;
    }
    return slots;
  }

  /** Finds or adds the key of each row encoded last; {@code numbers} takes their numbers. */
  public void assign(KeyRows rows, int[] numbers) {
    ensureSlots(rows.count());
    for (int row = 0; row < rows.count(); row++) {
      numbers[row] = assignRow(rows, row);
    }
  }

  /** The same, but rows that can match nothing get −1 and are not added. */
  public void assignMatchable(KeyRows rows, int[] numbers) {
    ensureSlots(rows.count());
    for (int row = 0; row < rows.count(); row++) {
      numbers[row] = rows.isUnmatchable(row) ? -1 : assignRow(rows, row);
    }
  }

  /** Makes room for that many more keys. */
  private void ensureSlots(int more) {
    long needed = slotCountFor((long) size + more);
    if (needed > slotCount) {
      rehash(Math.toIntExact(needed));
    }
  }

  private int assignRow(KeyRows rows, int row) {
    long hash = rows.hash(row);
    int mask = slotCount - 1;
    int tag = (int) (hash >>> 32);
    int slot = (int) hash & mask;
    while (true) {
      long entry = slots.get(LONG, 8L * slot);
      if (entry == 0) {
        slots.set(LONG, 8L * slot, (long) tag << 32 | size + 1);
        append(rows, row, hash);
        return size++;
      }
      if ((int) (entry >>> 32) == tag && sameKey(rows, row, (int) entry - 1)) {
        return (int) entry - 1;
      }
      slot = slot + 1 & mask;
    }
  }

  /** Finds the key of each row encoded last; −1 when it is not there or can match nothing. */
  public void find(KeyRows rows, int[] numbers) {
    if (size == 0) {
      java.util.Arrays.fill(numbers, 0, rows.count(), -1);
      return;
    }
    int mask = slotCount - 1;
    for (int row = 0; row < rows.count(); row++) {
      numbers[row] = rows.isUnmatchable(row) ? -1 : findRow(rows, row, mask);
    }
  }

  private int findRow(KeyRows rows, int row, int mask) {
    long hash = rows.hash(row);
    int tag = (int) (hash >>> 32);
    int slot = (int) hash & mask;
    while (true) {
      long entry = slots.get(LONG, 8L * slot);
      if (entry == 0) {
        return -1;
      }
      if ((int) (entry >>> 32) == tag && sameKey(rows, row, (int) entry - 1)) {
        return (int) entry - 1;
      }
      slot = slot + 1 & mask;
    }
  }

  private long keyStart(int number) {
    return layout.variable()
        ? number == 0 ? 0 : ends.segment().get(LONG, 8L * number - 8)
        : (long) number * keyStride();
  }

  /** The hash stands before the key words, so that growing needs no hashing. */
  private int keyStride() {
    return layout.fixedWords() + 1;
  }

  private boolean sameKey(KeyRows rows, int row, int number) {
    long[] words = rows.words();
    int start = rows.start(row);
    int length = rows.length(row);
    long at = keyStart(number);
    MemorySegment arena = keys.segment();
    if (arena.get(LONG, 8 * at) != rows.hash(row)) {
      return false;
    }
    if (layout.variable() && ends.segment().get(LONG, 8L * number) - at - 1 != length) {
      return false;
    }
    for (int index = 0; index < length; index++) {
      if (arena.get(LONG, 8 * (at + 1 + index)) != words[start + index]) {
        return false;
      }
    }
    return true;
  }

  private void append(KeyRows rows, int row, long hash) {
    int length = rows.length(row);
    int start = rows.start(row);
    keys.reserve(8L * length + 8);
    MemorySegment arena = keys.segment();
    long at = keys.size();
    arena.set(LONG, at, hash);
    MemorySegment.copy(rows.words(), start, arena, LONG, at + 8, length);
    keys.advance(8L * length + 8);
    if (layout.variable()) {
      ends.reserve(8);
      ends.segment().set(LONG, ends.size(), keys.size() / 8);
      ends.advance(8);
    }
  }

  private void rehash(int newCount) {
    ArrowBuf newBuffer = allocator.buffer(8L * newCount);
    MemorySegment newSlots =
        MemorySegment.ofAddress(newBuffer.memoryAddress()).reinterpret(8L * newCount);
    newSlots.fill((byte) 0);
    int mask = newCount - 1;
    MemorySegment arena = keys.segment();
    for (int number = 0; number < size; number++) {
      long hash = arena.get(LONG, 8 * keyStart(number));
      int slot = (int) hash & mask;
      while (newSlots.get(LONG, 8L * slot) != 0) {
        slot = slot + 1 & mask;
      }
      newSlots.set(LONG, 8L * slot, hash >>> 32 << 32 | number + 1);
    }
    if (slotBuffer != null) {
      slotBuffer.close();
    }
    slotBuffer = newBuffer;
    slots = newSlots;
    slotCount = newCount;
  }

  /** A key column of a range of numbers, decoded; owned by the caller. */
  public FlatVector column(int index, int first, int count, BufferAllocator target) {
    KeyLayout.Column column = layout.columns().get(index);
    MemorySegment arena = keys.segment();
    try (VectorBuilder builder = new VectorBuilder(column.type(), target)) {
      for (int number = first; number < first + count; number++) {
        long key = 8 * (keyStart(number) + 1);
        if ((arena.get(Layouts.INT8, key + (index >>> 3)) >>> (index & 7) & 1) != 0) {
          builder.appendNull();
          continue;
        }
        long at = key + column.byteOffset();
        switch (column.form()) {
          case EMPTY -> builder.appendNull();
          case BIT -> builder.appendBoolean(arena.get(Layouts.INT8, at) != 0);
          case PLAIN, FLOAT16, FLOAT32, FLOAT64 ->
              builder.appendBytes(arena, at, column.byteWidth());
          case INTERVAL -> CanonicalInterval.append(arena, at, builder);
          case BYTES ->
              builder.appendBytes(
                  arena, variableStart(index, key, arena), arena.get(Layouts.INT32, at));
          case NESTED -> NestedKeys.read(arena, variableStart(index, key, arena), builder);
        }
      }
      return builder.finish();
    }
  }

  private long variableStart(int index, long key, MemorySegment arena) {
    long position = key + layout.fixedBytes();
    for (int before = 0; before < index; before++) {
      KeyLayout.Column column = layout.columns().get(before);
      if (column.isVariable()) {
        position += arena.get(Layouts.INT32, key + column.byteOffset());
      }
    }
    return position;
  }

  /** Bytes of the keys alone, for sizing output batches. */
  public long keyBytes() {
    return keys.size();
  }

  /** Forgets all keys and releases the memory; the table can be filled again. */
  public void clear() {
    keys.close();
    ends.close();
    if (slotBuffer != null) {
      slotBuffer.close();
      slotBuffer = null;
    }
    slots = null;
    slotCount = 0;
    size = 0;
  }

  @Override
  public void close() {
    clear();
  }
}
