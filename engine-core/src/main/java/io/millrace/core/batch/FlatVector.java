package io.millrace.core.batch;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.type.DataType;
import io.millrace.core.type.StorageTypes;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Plain values in Arrow's physical layout of the type's storage type. Which parts are there:
 *
 * <ul>
 *   <li>fixed width: values; boolean: values as bits; null type: nothing
 *   <li>text, binary: int32 offsets (length + 1, the first may be above zero) and values
 *   <li>list: offsets and one child; map: offsets and one struct child of key and value
 *   <li>fixed list: one child of length × size elements; struct: one child a member
 * </ul>
 *
 * The segments live as long as this handle; fetch them once per batch.
 */
public final class FlatVector implements ColumnVector {
  private final DataType type;
  private final PhysicalLayout layout;
  private final int length;
  private final ArrowBuf validityBuffer;
  private final ArrowBuf offsetBuffer;
  private final ArrowBuf valueBuffer;
  private final List<FlatVector> children;
  private final MemorySegment validity;
  private final MemorySegment offsets;
  private final MemorySegment values;

  /** Null when it is not known. */
  private final RowOrigin origin;

  private int nullCount;
  private boolean closed;

  /**
   * Takes ownership of the buffers and children, also when it throws.
   *
   * @param nullCount null rows, or −1 when they are still to be counted
   * @param validityBuffer one bit a row; null (or empty) when no row is null
   * @param offsetBuffer null when the layout has none
   * @param valueBuffer null when the layout has none
   * @throws MillraceException INTERNAL_ERROR when a part is missing or too short
   */
  public FlatVector(
      DataType type,
      int length,
      int nullCount,
      ArrowBuf validityBuffer,
      ArrowBuf offsetBuffer,
      ArrowBuf valueBuffer,
      List<FlatVector> children) {
    this(type, length, nullCount, validityBuffer, offsetBuffer, valueBuffer, children, null);
  }

  private FlatVector(
      DataType type,
      int length,
      int nullCount,
      ArrowBuf validityBuffer,
      ArrowBuf offsetBuffer,
      ArrowBuf valueBuffer,
      List<FlatVector> children,
      RowOrigin origin) {
    boolean noNulls = nullCount == 0 || validityBuffer == null || validityBuffer.capacity() == 0;
    this.type = type;
    this.layout = PhysicalLayout.of(type);
    this.length = length;
    this.offsetBuffer = offsetBuffer;
    this.valueBuffer = valueBuffer;
    this.children = List.copyOf(children);
    this.origin = origin;
    this.validity = noNulls ? null : segment(validityBuffer);
    this.offsets = segment(offsetBuffer);
    this.values = segment(valueBuffer);
    this.nullCount = layout.kind() == PhysicalLayout.Kind.EMPTY ? length : noNulls ? 0 : nullCount;
    if (noNulls) {
      release(validityBuffer);
      this.validityBuffer = null;
    } else {
      this.validityBuffer = validityBuffer;
    }
    String fault = layout.fault(this, noNulls && nullCount > 0);
    if (fault != null) {
      close();
      throw new MillraceException(
          ErrorCode.INTERNAL_ERROR, "A vector's parts do not fit its type: " + fault + ", " + type);
    }
  }

  /** A vector of fixed-width values or booleans; takes ownership. */
  public static FlatVector ofFixedWidth(
      DataType type, int length, int nullCount, ArrowBuf validity, ArrowBuf values) {
    return new FlatVector(type, length, nullCount, validity, null, values, List.of());
  }

  /** A vector of text or binary; takes ownership. */
  public static FlatVector ofVariableWidth(
      DataType type,
      int length,
      int nullCount,
      ArrowBuf validity,
      ArrowBuf offsets,
      ArrowBuf values) {
    return new FlatVector(type, length, nullCount, validity, offsets, values, List.of());
  }

  /** A vector of lists (offsets given), fixed lists or structs (offsets null); takes ownership. */
  public static FlatVector ofNested(
      DataType type,
      int length,
      int nullCount,
      ArrowBuf validity,
      ArrowBuf offsets,
      List<FlatVector> children) {
    return new FlatVector(type, length, nullCount, validity, offsets, null, children);
  }

  /** A vector whose rows are all null. */
  public static FlatVector ofNulls(DataType type, int length, BufferAllocator allocator) {
    try (VectorBuilder builder = new VectorBuilder(type, allocator)) {
      for (int row = 0; row < length; row++) {
        builder.appendNull();
      }
      return builder.finish();
    }
  }

  private static MemorySegment segment(ArrowBuf buffer) {
    return buffer == null || buffer.capacity() == 0
        ? MemorySegment.NULL
        : MemorySegment.ofAddress(buffer.memoryAddress()).reinterpret(buffer.capacity());
  }

  private static void release(ArrowBuf buffer) {
    if (buffer != null) {
      buffer.getReferenceManager().release();
    }
  }

  private void requireOpen() {
    if (closed) {
      throw new MillraceException(
          ErrorCode.OWNERSHIP_VIOLATION, "A vector was used after its close: " + type);
    }
  }

  @Override
  public DataType type() {
    return type;
  }

  @Override
  public int length() {
    return length;
  }

  /** How the values lie in memory. */
  public PhysicalLayout layout() {
    return layout;
  }

  /** One bit a row, 1 for valid; null when no row is null. */
  public MemorySegment validity() {
    requireOpen();
    return validity;
  }

  /** Fixed-width values, bits, or bytes of text and binary; empty when the layout has none. */
  public MemorySegment values() {
    requireOpen();
    return values;
  }

  /** int32 offsets, length + 1 of them, the first may be above zero; empty when there are none. */
  public MemorySegment offsets() {
    requireOpen();
    return offsets;
  }

  /** The child stays owned by this vector. */
  public FlatVector child(int index) {
    requireOpen();
    return children.get(index);
  }

  /** The children stay owned by this vector. */
  public List<FlatVector> children() {
    requireOpen();
    return children;
  }

  /** Null rows; counted on the first call when it was unknown. */
  public int nullCount() {
    if (nullCount < 0) {
      nullCount = Bits.countZeros(validity(), length);
    }
    return nullCount;
  }

  /** Null rows, −1 when not counted yet. */
  int knownNullCount() {
    return nullCount;
  }

  /** Owned by this vector; null when no row is null. */
  public ArrowBuf validityBuffer() {
    requireOpen();
    return validityBuffer;
  }

  /** Owned by this vector; null when the layout has none. */
  public ArrowBuf offsetBuffer() {
    requireOpen();
    return offsetBuffer;
  }

  /** Owned by this vector; null when the layout has none. */
  public ArrowBuf valueBuffer() {
    requireOpen();
    return valueBuffer;
  }

  @Override
  public boolean isNull(int row) {
    requireOpen();
    return layout.kind() == PhysicalLayout.Kind.EMPTY
        || validity != null && !Bits.get(validity, row);
  }

  @Override
  public boolean hasNoNulls() {
    return nullCount == 0;
  }

  /** First byte or element of a variable-width or list row, counted in values or child. */
  public int startAt(int row) {
    return offsets().get(Layouts.INT32, 4L * row);
  }

  /** End (exclusive) of a variable-width or list row. */
  public int endAt(int row) {
    return offsets().get(Layouts.INT32, 4L * row + 4);
  }

  public boolean booleanAt(int row) {
    return Bits.get(values(), row);
  }

  /** Any integer, date, time, timestamp, duration or reference, widened; uint64 as its bits. */
  public long longAt(int row) {
    boolean signed = layout.signed();
    return switch (layout.byteWidth()) {
      case 1 -> {
        byte value = values().get(Layouts.INT8, row);
        yield signed ? value : value & 0xffL;
      }
      case 2 -> {
        short value = values().get(Layouts.INT16, 2L * row);
        yield signed ? value : value & 0xffffL;
      }
      case 4 -> {
        int value = values().get(Layouts.INT32, 4L * row);
        yield signed ? value : value & 0xffff_ffffL;
      }
      default -> values().get(Layouts.INT64, 8L * row);
    };
  }

  /** A float of any width, widened. */
  public double doubleAt(int row) {
    return switch (layout.byteWidth()) {
      case 2 -> Float.float16ToFloat(values().get(Layouts.INT16, 2L * row));
      case 4 -> values().get(Layouts.FLOAT32, 4L * row);
      default -> values().get(Layouts.FLOAT64, 8L * row);
    };
  }

  /** A copy of the bytes of a text, binary or fixed-width row. */
  public byte[] bytesAt(int row) {
    long from = byteOffsetAt(row);
    int length = byteLengthAt(row);
    // Checked before allocating, because offsets may come from a damaged file.
    Objects.checkFromIndexSize(from, length, values().byteSize());
    byte[] bytes = new byte[length];
    MemorySegment.copy(values(), Layouts.INT8, from, bytes, 0, bytes.length);
    return bytes;
  }

  /** Where the bytes of a text, binary or fixed-width row start in values. */
  public long byteOffsetAt(int row) {
    return layout.kind() == PhysicalLayout.Kind.VARIABLE
        ? startAt(row)
        : (long) row * layout.byteWidth();
  }

  /** Bytes of a text, binary or fixed-width row. */
  public int byteLengthAt(int row) {
    return layout.kind() == PhysicalLayout.Kind.VARIABLE
        ? endAt(row) - startAt(row)
        : layout.byteWidth();
  }

  public String textAt(int row) {
    return new String(bytesAt(row), StandardCharsets.UTF_8);
  }

  @Override
  public Object valueAt(int row) {
    return isNull(row) ? null : JavaValues.read(this, row);
  }

  @Override
  public long retainedBytes() {
    requireOpen();
    RetainedBytes total = new RetainedBytes();
    addRetained(total);
    return total.bytes();
  }

  void addRetained(RetainedBytes total) {
    total.add(validityBuffer);
    total.add(offsetBuffer);
    total.add(valueBuffer);
    children.forEach(child -> child.addRetained(total));
  }

  @Override
  public FlatVector retain() {
    requireOpen();
    return handle(type, children.stream().map(FlatVector::retain).toList(), origin);
  }

  @Override
  public RowOrigin origin() {
    return origin;
  }

  @Override
  public FlatVector withOrigin(RowOrigin newOrigin) {
    requireOpen();
    RowOrigin kept = newOrigin != null && newOrigin.isWorth(valueBytes()) ? newOrigin : null;
    if (kept == origin) {
      return this;
    }
    FlatVector result = handle(type, children.stream().map(FlatVector::retain).toList(), kept);
    close();
    return result;
  }

  /** Bytes of text and binary rows; without children and validity for others. */
  private long valueBytes() {
    return layout.kind() == PhysicalLayout.Kind.VARIABLE && length > 0
        ? (long) endAt(length - 1) - startAt(0)
        : (long) length * Math.max(0, layout.byteWidth());
  }

  /**
   * A further handle on the same buffers under another type of the same layout, such as a
   * multimodal type and its storage type.
   *
   * @throws MillraceException INTERNAL_ERROR when the layouts differ
   */
  public FlatVector withType(DataType newType) {
    requireOpen();
    if (!layout.equals(PhysicalLayout.of(newType))) {
      throw new MillraceException(
          ErrorCode.INTERNAL_ERROR,
          "A vector keeps its layout under another type: " + type + ", " + newType);
    }
    List<DataType> childTypes = StorageTypes.childTypes(newType);
    List<FlatVector> handles = new ArrayList<>(children.size());
    for (int index = 0; index < children.size(); index++) {
      handles.add(children.get(index).withType(childTypes.get(index)));
    }
    return handle(newType, handles, origin);
  }

  private FlatVector handle(DataType newType, List<FlatVector> childHandles, RowOrigin newOrigin) {
    return new FlatVector(
        newType,
        length,
        nullCount,
        retain(validityBuffer),
        retain(offsetBuffer),
        retain(valueBuffer),
        childHandles,
        newOrigin);
  }

  static ArrowBuf retain(ArrowBuf buffer) {
    if (buffer != null) {
      buffer.getReferenceManager().retain();
    }
    return buffer;
  }

  @Override
  public FlatVector flatten(BufferAllocator allocator) {
    return retain();
  }

  @Override
  public FlatVector slice(int from, int count) {
    requireOpen();
    Objects.checkFromIndexSize(from, count, length);
    if (from == 0 && count == length) {
      return retain();
    }
    List<FlatVector> childHandles = new ArrayList<>(children.size());
    ArrowBuf newOffsets = null;
    ArrowBuf newValues = null;
    ArrowBuf newValidity = null;
    try {
      newValidity = validity == null ? null : sliceBits(validityBuffer, validity, from, count);
      switch (layout.kind()) {
        case EMPTY -> {}
        case BITS -> newValues = sliceBits(valueBuffer, values, from, count);
        case FIXED ->
            newValues =
                retain(
                    valueBuffer.slice(
                        (long) from * layout.byteWidth(), (long) count * layout.byteWidth()));
        case VARIABLE -> {
          newOffsets = retain(offsetBuffer.slice(4L * from, 4L * count + 4));
          newValues = retain(valueBuffer);
        }
        case LIST -> {
          newOffsets = retain(offsetBuffer.slice(4L * from, 4L * count + 4));
          childHandles.add(children.get(0).retain());
        }
        case FIXED_LIST -> {
          int size = layout.listSize();
          childHandles.add(
              children
                  .get(0)
                  .slice(Math.multiplyExact(from, size), Math.multiplyExact(count, size)));
        }
        case STRUCT -> {
          for (FlatVector child : children) {
            childHandles.add(child.slice(from, count));
          }
        }
      }
    } catch (RuntimeException | Error failure) {
      release(newValidity);
      release(newOffsets);
      release(newValues);
      childHandles.forEach(FlatVector::close);
      throw failure;
    }
    return new FlatVector(
        type,
        count,
        -1,
        newValidity,
        newOffsets,
        newValues,
        childHandles,
        origin == null ? null : origin.slice(from, count));
  }

  /** Shares the bytes when the slice starts on a byte; else copies the bits. */
  private static ArrowBuf sliceBits(ArrowBuf buffer, MemorySegment bits, int from, int count) {
    long bytes = Bits.byteCount(count);
    if ((from & 7) == 0) {
      return retain(buffer.slice(from >>> 3, bytes));
    }
    ArrowBuf copy = buffer.getReferenceManager().getAllocator().buffer(bytes);
    MemorySegment target = segment(copy);
    Bits.copy(bits, from, target, 0, count);
    return copy;
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      release(validityBuffer);
      release(offsetBuffer);
      release(valueBuffer);
      children.forEach(FlatVector::close);
    }
  }

  @Override
  public String toString() {
    return "flat " + type + " [" + length + "]";
  }
}
