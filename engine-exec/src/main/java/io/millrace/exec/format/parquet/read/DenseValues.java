package io.millrace.exec.format.parquet.read;

import io.millrace.core.batch.FlatVector;
import io.millrace.core.batch.Gather;
import io.millrace.core.batch.GrowingBuffer;
import io.millrace.core.batch.Layouts;
import io.millrace.core.type.DataType;
import io.millrace.core.type.StorageTypes;
import io.millrace.exec.format.parquet.encoding.LittleEndian;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/**
 * The stored (not null) values of one leaf for one batch, converted to the engine's form. They stay
 * dictionary codes as long as all pages agree on one dictionary.
 */
final class DenseValues implements AutoCloseable {
  private static final long JULIAN_DAY_OF_EPOCH = 2_440_588L;
  private static final long NANOS_PER_DAY = 86_400_000_000_000L;
  private static final long NANOS_PER_MILLI = 1_000_000L;

  private final LeafConversion conversion;
  private final BufferAllocator allocator;
  private final GrowingBuffer values;
  private final GrowingBuffer offsets;
  private int count;
  private int[] codes = new int[0];
  private PageDictionary dictionary;

  DenseValues(LeafConversion conversion, BufferAllocator allocator) {
    this.conversion = conversion;
    this.allocator = allocator;
    this.values = new GrowingBuffer(allocator);
    this.offsets = new GrowingBuffer(allocator);
  }

  int count() {
    return count;
  }

  /** The dictionary that all values so far are codes of; null when they are values. */
  PageDictionary dictionary() {
    return dictionary;
  }

  /** The codes, of which the first {@link #count} count. */
  int[] codes() {
    return codes;
  }

  /**
   * Adds codes.
   *
   * @param from the page's dictionary; stays the caller's and must outlive this
   */
  void addCodes(int[] added, int addedCount, PageDictionary from) {
    boolean coded = count == 0 ? conversion.keepsCodes() : dictionary != null;
    if (!coded && (from.ints() != null || from.longs() != null)) {
      addWords(added, addedCount, from);
      return;
    }
    int all = 0;
    int largest = 0;
    for (int index = 0; index < addedCount; index++) {
      all |= added[index];
      largest = Math.max(largest, added[index]);
    }
    if (all < 0 || addedCount > 0 && largest >= from.length()) {
      throw new IllegalArgumentException("a code outside of the dictionary");
    }
    if (count == 0) {
      dictionary = from;
    }
    if (!from.equals(dictionary)) {
      decodeCodes();
      addGathered(from, added, addedCount);
      return;
    }
    if (codes.length < count + addedCount) {
      codes = Arrays.copyOf(codes, Math.max(count + addedCount, 2 * codes.length));
    }
    System.arraycopy(added, 0, codes, count, addedCount);
    count += addedCount;
  }

  /** Values of fixed width are looked up at once; a code outside fails as an index does. */
  private void addWords(int[] added, int addedCount, PageDictionary from) {
    int width = conversion.width();
    values.reserve((long) addedCount * width);
    MemorySegment target = values.segment();
    long at = values.size();
    if (width == 4) {
      int[] ints = from.ints();
      for (int index = 0; index < addedCount; index++) {
        target.set(Layouts.INT32, at + 4L * index, ints[added[index]]);
      }
    } else if (width == 8) {
      long[] longs = from.longs();
      for (int index = 0; index < addedCount; index++) {
        target.set(Layouts.INT64, at + 8L * index, longs[added[index]]);
      }
    } else {
      long[] longs = from.longs();
      for (int index = 0; index < addedCount; index++) {
        target.set(Layouts.INT64, at + 16L * index, longs[2 * added[index]]);
        target.set(Layouts.INT64, at + 16L * index + 8, longs[2 * added[index] + 1]);
      }
    }
    values.advance((long) addedCount * width);
    count += addedCount;
  }

  /**
   * Adds values that each follow their length.
   *
   * @param end where the page ends; the array may be longer
   * @return position after the last
   */
  int addPrefixed(byte[] source, int from, int end, int added) {
    if (conversion.rule() != LeafConversion.Rule.VARIABLE) {
      int at = from;
      for (int index = 0; index < added; index++) {
        int length = at + 4 > end ? -1 : LittleEndian.int32(source, at);
        addBytes(source, at + 4, end, length);
        at += 4 + length;
      }
      return at;
    }
    decodeCodes();
    if (count == 0) {
      offsets.appendInt32(0);
    }
    // Gathered on the heap first: one large copy is far cheaper than many small ones.
    byte[] bytes = new byte[Math.min(Math.max(0, end - from), 32 * added) + 8];
    int[] ends = new int[added];
    int base = Math.toIntExact(values.size());
    int size = 0;
    int at = from;
    for (int index = 0; index < added; index++) {
      int length = at + 4 > end ? -1 : LittleEndian.int32(source, at);
      at += 4;
      if (length < 0 || length > end - at) {
        throw new IllegalArgumentException("a value that ends outside of its page");
      }
      if (bytes.length - size < length + 8) {
        bytes = Arrays.copyOf(bytes, Math.max(size + length + 8, 2 * bytes.length));
      }
      if (at + length + 8 <= source.length) {
        for (int word = 0; word < length; word += 8) {
          LittleEndian.putInt64(bytes, size + word, LittleEndian.int64(source, at + word));
        }
      } else {
        System.arraycopy(source, at, bytes, size, length);
      }
      size += length;
      at += length;
      ends[index] = Math.addExact(base, size);
    }
    values.appendBytes(bytes, 0, size);
    offsets.reserve(4L * added);
    MemorySegment.copy(ends, 0, offsets.segment(), Layouts.INT32, offsets.size(), added);
    offsets.advance(4L * added);
    count += added;
    return at;
  }

  /** Turns what was added as codes into values. */
  private void decodeCodes() {
    if (dictionary != null) {
      PageDictionary from = dictionary;
      int coded = count;
      dictionary = null;
      count = 0;
      addGathered(from, codes, coded);
    }
  }

  private void addGathered(PageDictionary from, int[] rows, int rowCount) {
    try (FlatVector gathered = Gather.flat(from.vector(), rows, rowCount, allocator)) {
      if (conversion.width() == -1) {
        for (int row = 0; row < rowCount; row++) {
          addBytes(gathered.values(), gathered.byteOffsetAt(row), gathered.byteLengthAt(row));
        }
      } else if (conversion.width() == 0) {
        for (int row = 0; row < rowCount; row++) {
          addBoolean(gathered.booleanAt(row));
        }
      } else {
        values.appendBytes(gathered.values(), 0, (long) rowCount * conversion.width());
        count += rowCount;
      }
    }
  }

  void addBoolean(boolean value) {
    decodeCodes();
    values.appendInt8((byte) (value ? 1 : 0));
    count++;
  }

  private void addBytes(MemorySegment source, long from, long length) {
    if (count == 0) {
      offsets.appendInt32(0);
    }
    values.appendBytes(source, from, length);
    offsets.appendInt32(Math.toIntExact(values.size()));
    count++;
  }

  /** Adds one value of varying length. */
  void addBytes(byte[] source, int from, int end, int length) {
    if (length < 0 || from < 0 || from + (long) length > end) {
      throw new IllegalArgumentException("a value that ends outside of its page");
    }
    decodeCodes();
    if (conversion.rule() == LeafConversion.Rule.DECIMAL_OF_BYTES) {
      appendDecimal(source, from, length);
      count++;
      return;
    }
    if (count == 0) {
      offsets.appendInt32(0);
    }
    values.appendBytes(source, from, length);
    offsets.appendInt32(Math.toIntExact(values.size()));
    count++;
  }

  /** Adds values of fixed stored width that lie one after the other. */
  void addStored(byte[] source, int from, int end, int added) {
    int stored = conversion.storedWidth();
    if (from < 0 || from + (long) added * stored > end) {
      throw new IllegalArgumentException("values that end outside of their page");
    }
    decodeCodes();
    switch (conversion.rule()) {
      case COPY -> values.appendBytes(source, from, added * stored);
      case NARROW -> addNarrow(source, from, added);
      case DECIMAL_OF_INTEGER -> addDecimals(source, from, added);
      case DECIMAL_OF_BYTES -> {
        for (int index = 0; index < added; index++) {
          appendDecimal(source, from + index * stored, stored);
        }
      }
      case INT96 -> {
        for (int index = 0; index < added; index++) {
          int at = from + index * stored;
          long day = Integer.toUnsignedLong(LittleEndian.int32(source, at + 8));
          values.appendInt64(
              (day - JULIAN_DAY_OF_EPOCH) * NANOS_PER_DAY + LittleEndian.int64(source, at));
        }
      }
      case INTERVAL -> {
        for (int index = 0; index < added; index++) {
          int at = from + index * stored;
          values.appendInt32(LittleEndian.int32(source, at));
          values.appendInt32(LittleEndian.int32(source, at + 4));
          long millis = Integer.toUnsignedLong(LittleEndian.int32(source, at + 8));
          values.appendInt64(millis * NANOS_PER_MILLI);
        }
      }
      case BOOLEAN, VARIABLE ->
          throw new IllegalArgumentException("values of fixed width in another column");
    }
    count += added;
  }

  private void addNarrow(byte[] source, int from, int added) {
    int width = conversion.width();
    values.reserve((long) added * width);
    MemorySegment target = values.segment();
    long at = values.size();
    for (int index = 0; index < added; index++) {
      if (width == 1) {
        target.set(Layouts.INT8, at + index, source[from + 4 * index]);
      } else {
        short value = (short) LittleEndian.int32(source, from + 4 * index);
        target.set(Layouts.INT16, at + 2L * index, value);
      }
    }
    values.advance((long) added * width);
  }

  private void addDecimals(byte[] source, int from, int added) {
    values.reserve(16L * added);
    MemorySegment target = values.segment();
    long at = values.size();
    boolean wide = conversion.storedWidth() == 8;
    for (int index = 0; index < added; index++) {
      long value =
          wide
              ? LittleEndian.int64(source, from + 8 * index)
              : LittleEndian.int32(source, from + 4 * index);
      target.set(Layouts.INT64, at + 16L * index, value);
      target.set(Layouts.INT64, at + 16L * index + 8, value >> 63);
    }
    values.advance(16L * added);
  }

  private void appendDecimal(byte[] source, int from, int length) {
    int extra = Math.max(0, length - 16);
    byte sign = (byte) (length > 0 && source[from] < 0 ? -1 : 0);
    for (int index = 0; index < extra; index++) {
      if (source[from + index] != sign) {
        throw new IllegalArgumentException("a decimal of more than 38 digits");
      }
    }
    long low = sign;
    long high = sign;
    for (int index = from + extra; index < from + length; index++) {
      high = high << 8 | low >>> 56;
      low = low << 8 | source[index] & 0xFF;
    }
    values.appendInt64(low);
    values.appendInt64(high);
  }

  /**
   * The values in slots, as a flat vector that the caller owns.
   *
   * @param slots index of the value in each slot, −1 for null, ascending; null when every value is
   *     one slot
   */
  FlatVector finish(int[] slots, int slotCount) {
    if (dictionary != null) {
      int[] rows = slots == null ? codes : new int[slotCount];
      if (slots != null) {
        for (int slot = 0; slot < slotCount; slot++) {
          rows[slot] = slots[slot] < 0 ? -1 : codes[slots[slot]];
        }
      }
      return Gather.flat(dictionary.vector(), rows, slotCount, allocator);
    }
    if (slots != null && conversion.width() == -1) {
      return withNulls(slots, slotCount);
    }
    FlatVector dense = dense();
    if (slots == null) {
      return dense;
    }
    try (dense) {
      return Gather.flat(dense, slots, slotCount, allocator);
    }
  }

  /** The bytes stay where they are: a null is an empty stretch between them. */
  private FlatVector withNulls(int[] slots, int slotCount) {
    int[] ends = new int[count + 1];
    if (count > 0) {
      MemorySegment.copy(offsets.segment(), Layouts.INT32, 0, ends, 0, count + 1);
    }
    int[] slotEnds = new int[slotCount + 1];
    byte[] bits = new byte[(slotCount + 7) / 8];
    for (int slot = 0; slot < slotCount; slot++) {
      int value = slots[slot];
      slotEnds[slot + 1] = value < 0 ? slotEnds[slot] : ends[value + 1];
      bits[slot >>> 3] |= (byte) (value < 0 ? 0 : 1 << (slot & 7));
    }
    GrowingBuffer slotOffsets = new GrowingBuffer(allocator);
    GrowingBuffer validity = new GrowingBuffer(allocator);
    try (slotOffsets;
        validity) {
      slotOffsets.reserve(4L * slotEnds.length);
      MemorySegment.copy(slotEnds, 0, slotOffsets.segment(), Layouts.INT32, 0, slotEnds.length);
      slotOffsets.advance(4L * slotEnds.length);
      validity.appendBytes(bits, 0, bits.length);
      return FlatVector.ofVariableWidth(
          conversion.type(),
          slotCount,
          slotCount - count,
          validity.finish(),
          slotOffsets.finish(),
          values.finish());
    }
  }

  private FlatVector dense() {
    DataType type = conversion.type();
    if (conversion.width() == 0) {
      return packedBooleans();
    }
    if (conversion.width() == -1) {
      if (count == 0) {
        offsets.appendInt32(0);
      }
      return FlatVector.ofVariableWidth(type, count, 0, null, offsets.finish(), values.finish());
    }
    if (StorageTypes.of(type) instanceof DataType.Null) {
      return FlatVector.ofNulls(type, count, allocator);
    }
    return FlatVector.ofFixedWidth(type, count, 0, null, values.finish());
  }

  private FlatVector packedBooleans() {
    GrowingBuffer bits = new GrowingBuffer(allocator);
    try (bits;
        ArrowBuf bytes = values.finish()) {
      for (int index = 0; index < count; index++) {
        bits.appendBit(index, bytes.getByte(index) != 0);
      }
      return new FlatVector(conversion.type(), count, 0, null, null, bits.finish(), List.of());
    }
  }

  @Override
  public void close() {
    values.close();
    offsets.close();
  }
}
