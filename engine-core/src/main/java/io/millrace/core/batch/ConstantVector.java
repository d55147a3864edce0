package io.millrace.core.batch;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.type.DataType;
import java.util.Arrays;
import java.util.Objects;
import org.apache.arrow.memory.BufferAllocator;

/** One value, or null, for every row. */
public final class ConstantVector implements ColumnVector {
  private final FlatVector value;
  private final int length;
  private boolean closed;

  /**
   * Takes ownership.
   *
   * @param value a vector of exactly one row, which may be null
   * @param length rows, 0 or more
   */
  public ConstantVector(FlatVector value, int length) {
    this.value = value;
    this.length = length;
    if (value.length() != 1 || length < 0) {
      close();
      throw new MillraceException(
          ErrorCode.INTERNAL_ERROR,
          "A constant has one value and no negative length: " + value.length() + ", " + length);
    }
  }

  /** A constant from a Java value as {@link ColumnVector#valueAt} gives it; null is allowed. */
  public static ConstantVector of(
      DataType type, Object value, int length, BufferAllocator allocator) {
    try (VectorBuilder builder = new VectorBuilder(type, allocator)) {
      builder.appendValue(value);
      return new ConstantVector(builder.finish(), length);
    }
  }

  public static ConstantVector ofNull(DataType type, int length, BufferAllocator allocator) {
    return of(type, null, length, allocator);
  }

  private void requireOpen() {
    if (closed) {
      throw new MillraceException(
          ErrorCode.OWNERSHIP_VIOLATION, "A vector was used after its close: " + type());
    }
  }

  @Override
  public DataType type() {
    return value.type();
  }

  @Override
  public int length() {
    return length;
  }

  /** The one row; stays owned by this vector. */
  public FlatVector value() {
    requireOpen();
    return value;
  }

  /** Whether every row is null. */
  public boolean isNull() {
    requireOpen();
    return value.isNull(0);
  }

  @Override
  public boolean isNull(int row) {
    return isNull();
  }

  @Override
  public boolean hasNoNulls() {
    return !isNull();
  }

  @Override
  public Object valueAt(int row) {
    requireOpen();
    return value.valueAt(0);
  }

  @Override
  public long retainedBytes() {
    requireOpen();
    return value.retainedBytes();
  }

  void addRetained(RetainedBytes total) {
    value.addRetained(total);
  }

  @Override
  public RowOrigin origin() {
    return null;
  }

  @Override
  public ConstantVector withOrigin(RowOrigin origin) {
    return this;
  }

  @Override
  public ConstantVector retain() {
    requireOpen();
    return new ConstantVector(value.retain(), length);
  }

  @Override
  public FlatVector flatten(BufferAllocator allocator) {
    requireOpen();
    int[] rows = new int[length];
    if (isNull()) {
      Arrays.fill(rows, -1);
    }
    return Gather.flat(value, rows, length, allocator);
  }

  @Override
  public ConstantVector slice(int from, int count) {
    requireOpen();
    Objects.checkFromIndexSize(from, count, length);
    return new ConstantVector(value.retain(), count);
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      value.close();
    }
  }

  @Override
  public String toString() {
    return "constant " + type() + " [" + length + "]";
  }
}
