package io.millrace.core.batch;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.StorageTypes;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Builds a flat vector of any type row by row. Nested rows: append the elements or members to the
 * children, then call {@link #endList} or {@link #endStruct}. Not thread-safe; close without finish
 * releases what was written.
 *
 * <p>Typed appends trust the caller that the type fits; {@link #appendValue} checks it.
 */
public final class VectorBuilder implements AutoCloseable {
  private static final BigInteger LONG_MASK = BigInteger.TWO.pow(64).subtract(BigInteger.ONE);

  private final DataType type;
  private final PhysicalLayout layout;
  private final GrowingBuffer validity;
  private final GrowingBuffer offsets;
  private final GrowingBuffer values;
  private final List<VectorBuilder> children;
  private final List<Field> childFields;
  private int length;
  private int nullCount;

  public VectorBuilder(DataType type, BufferAllocator allocator) {
    this.type = type;
    this.layout = PhysicalLayout.of(type);
    this.validity = new GrowingBuffer(allocator);
    this.offsets = new GrowingBuffer(allocator);
    this.values = new GrowingBuffer(allocator);
    this.childFields = StorageTypes.children(type);
    this.children =
        childFields.stream().map(child -> new VectorBuilder(child.type(), allocator)).toList();
  }

  public DataType type() {
    return type;
  }

  /** Rows appended. */
  public int length() {
    return length;
  }

  /** Bytes written so far, those of children too. */
  public long bytes() {
    long bytes = validity.size() + offsets.size() + values.size();
    for (VectorBuilder child : children) {
      bytes += child.bytes();
    }
    return bytes;
  }

  /** Bytes allocated so far, those of children too. */
  public long allocatedBytes() {
    long bytes = validity.capacity() + offsets.capacity() + values.capacity();
    for (VectorBuilder child : children) {
      bytes += child.allocatedBytes();
    }
    return bytes;
  }

  /** The element of a list, the entries of a map, the member of a struct. */
  public VectorBuilder child(int index) {
    return children.get(index);
  }

  public void appendNull() {
    if (layout.kind() == PhysicalLayout.Kind.EMPTY) {
      length++;
      return;
    }
    if (nullCount == 0) {
      long bytes = Bits.byteCount(length);
      validity.reserve(bytes + 1);
      Bits.fill(validity.segment(), length, true);
      validity.advance(bytes);
    }
    validity.appendBit(length, false);
    nullCount++;
    appendHidden();
  }

  /** The zero value: 0, false, empty; for rows that a null parent hides. */
  private void appendZero() {
    markValid();
    appendHidden();
  }

  private void appendHidden() {
    switch (layout.kind()) {
      case EMPTY -> {}
      case BITS -> values.appendBit(length, false);
      case FIXED -> values.appendZeros(layout.byteWidth());
      case VARIABLE, LIST -> endOffset();
      case FIXED_LIST -> {
        for (int index = 0; index < layout.listSize(); index++) {
          appendHiddenChild(0);
        }
      }
      case STRUCT -> {
        for (int index = 0; index < children.size(); index++) {
          appendHiddenChild(index);
        }
      }
    }
    length++;
  }

  private void appendHiddenChild(int index) {
    if (childFields.get(index).nullable()) {
      children.get(index).appendNull();
    } else {
      children.get(index).appendZero();
    }
  }

  private void markValid() {
    if (nullCount > 0) {
      validity.appendBit(length, true);
    }
  }

  private void endOffset() {
    if (offsets.size() == 0) {
      offsets.appendInt32(0);
    }
    long end = layout.kind() == PhysicalLayout.Kind.LIST ? children.get(0).length : values.size();
    if (end > Integer.MAX_VALUE) {
      throw new MillraceException(
          ErrorCode.VALUE_TOO_LARGE,
          "A column of a batch holds more than 2 GiB; lower batch.rows: " + end + " bytes");
    }
    offsets.appendInt32((int) end);
  }

  public void appendBoolean(boolean value) {
    markValid();
    values.appendBit(length, value);
    length++;
  }

  /** Any integer, date, time, timestamp, duration or reference; the low bytes are kept. */
  public void appendLong(long value) {
    markValid();
    switch (layout.byteWidth()) {
      case 1 -> values.appendInt8((byte) value);
      case 2 -> values.appendInt16((short) value);
      case 4 -> values.appendInt32((int) value);
      default -> values.appendInt64(value);
    }
    length++;
  }

  /** A float of any width. */
  public void appendDouble(double value) {
    switch (layout.byteWidth()) {
      case 2 -> appendLong(Float.floatToFloat16((float) value));
      case 4 -> appendLong(Float.floatToRawIntBits((float) value));
      default -> appendLong(Double.doubleToRawLongBits(value));
    }
  }

  /** A 128-bit two's complement count of 10^-scale units. */
  public void appendDecimal(long high, long low) {
    markValid();
    values.appendInt64(low);
    values.appendInt64(high);
    length++;
  }

  /**
   * A decimal, rounded half up to the type's scale.
   *
   * @throws MillraceException NUMERIC_OVERFLOW when it has more digits than the type
   */
  public void appendDecimal(BigDecimal value) {
    DataType.Decimal decimal = (DataType.Decimal) type;
    BigDecimal scaled = value.setScale(decimal.scale(), RoundingMode.HALF_UP);
    if (scaled.precision() > decimal.precision()) {
      throw new MillraceException(
          ErrorCode.NUMERIC_OVERFLOW, "A number does not fit its type: " + value + ", " + type);
    }
    BigInteger units = scaled.unscaledValue();
    appendDecimal(units.shiftRight(64).longValue(), units.and(LONG_MASK).longValue());
  }

  public void appendInterval(int months, int days, long nanoseconds) {
    markValid();
    values.appendInt32(months);
    values.appendInt32(days);
    values.appendInt64(nanoseconds);
    length++;
  }

  /** Text (UTF-8), binary, or a fixed-width value in its stored form. */
  public void appendBytes(byte[] bytes) {
    appendBytes(bytes, 0, bytes.length);
  }

  public void appendBytes(byte[] bytes, int from, int count) {
    beforeBytes(count);
    values.appendBytes(bytes, from, count);
    afterBytes();
  }

  public void appendBytes(MemorySegment bytes, long from, long count) {
    beforeBytes(count);
    values.appendBytes(bytes, from, count);
    afterBytes();
  }

  private void beforeBytes(long count) {
    if (layout.kind() == PhysicalLayout.Kind.FIXED && count != layout.byteWidth()) {
      throw new MillraceException(
          ErrorCode.MALFORMED_VALUE, "A value has the wrong width: " + count + " bytes, " + type);
    }
    markValid();
  }

  private void afterBytes() {
    if (layout.kind() == PhysicalLayout.Kind.VARIABLE) {
      endOffset();
    }
    length++;
  }

  public void appendText(String text) {
    appendBytes(text.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Ends a row of a list, fixed list or map: the elements (or entries) appended to child 0 since
   * the last row make it.
   *
   * @throws MillraceException MALFORMED_VALUE when a fixed list has another number of elements
   */
  public void endList() {
    if (layout.kind() == PhysicalLayout.Kind.FIXED_LIST
        && children.get(0).length != (length + 1) * layout.listSize()) {
      throw new MillraceException(
          ErrorCode.MALFORMED_VALUE,
          "A fixed list has the wrong number of elements: "
              + (children.get(0).length - length * layout.listSize())
              + ", "
              + type);
    }
    markValid();
    if (layout.kind() == PhysicalLayout.Kind.LIST) {
      endOffset();
    }
    length++;
  }

  /**
   * Ends a row of a struct: each child got one value.
   *
   * @throws MillraceException MALFORMED_VALUE when a child got none or several
   */
  public void endStruct() {
    for (int index = 0; index < children.size(); index++) {
      if (children.get(index).length != length + 1) {
        throw new MillraceException(
            ErrorCode.MALFORMED_VALUE,
            "A struct's member needs exactly one value: " + childFields.get(index).name());
      }
    }
    markValid();
    length++;
  }

  /**
   * Appends a Java value as {@link ColumnVector#valueAt} gives it; null for null. Numbers of other
   * Java classes are accepted when they fit exactly.
   *
   * @throws MillraceException TYPE_MISMATCH or NUMERIC_OVERFLOW
   */
  public void appendValue(Object value) {
    if (value == null) {
      appendNull();
    } else {
      JavaValues.append(this, value);
    }
  }

  /** Appends one row of a vector of the same type. */
  public void appendFrom(FlatVector source, int row) {
    if (source.isNull(row)) {
      appendNull();
      return;
    }
    switch (layout.kind()) {
      case EMPTY -> appendNull();
      case BITS -> appendBoolean(source.booleanAt(row));
      case FIXED, VARIABLE ->
          appendBytes(source.values(), source.byteOffsetAt(row), source.byteLengthAt(row));
      case LIST -> {
        for (int index = source.startAt(row); index < source.endAt(row); index++) {
          children.get(0).appendFrom(source.child(0), index);
        }
        endList();
      }
      case FIXED_LIST -> {
        int from = row * layout.listSize();
        for (int index = from; index < from + layout.listSize(); index++) {
          children.get(0).appendFrom(source.child(0), index);
        }
        endList();
      }
      case STRUCT -> {
        for (int index = 0; index < children.size(); index++) {
          children.get(index).appendFrom(source.child(index), row);
        }
        endStruct();
      }
    }
  }

  /** The rows so far as a vector owned by the caller; the builder is empty afterwards. */
  public FlatVector finish() {
    beginOffsets();
    boolean hasOffsets = hasOffsets();
    List<FlatVector> vectors = new ArrayList<>(children.size());
    children.forEach(child -> vectors.add(child.finish()));
    ArrowBuf validityBuffer = nullCount == 0 ? null : validity.finish();
    ArrowBuf offsetBuffer = hasOffsets ? offsets.finish() : null;
    boolean hasValues =
        switch (layout.kind()) {
          case BITS, FIXED, VARIABLE -> true;
          case EMPTY, LIST, FIXED_LIST, STRUCT -> false;
        };
    ArrowBuf valueBuffer = hasValues ? values.finish() : null;
    int rows = length;
    int nulls = nullCount;
    length = 0;
    nullCount = 0;
    return new FlatVector(type, rows, nulls, validityBuffer, offsetBuffer, valueBuffer, vectors);
  }

  private boolean hasOffsets() {
    return layout.kind() == PhysicalLayout.Kind.VARIABLE
        || layout.kind() == PhysicalLayout.Kind.LIST;
  }

  /** Writes what vectors without rows lack, so that nothing can fail once parts are handed out. */
  private void beginOffsets() {
    if (hasOffsets() && offsets.size() == 0) {
      offsets.appendInt32(0);
    }
    children.forEach(VectorBuilder::beginOffsets);
  }

  @Override
  public void close() {
    validity.close();
    offsets.close();
    values.close();
    children.forEach(VectorBuilder::close);
    length = 0;
    nullCount = 0;
  }
}
