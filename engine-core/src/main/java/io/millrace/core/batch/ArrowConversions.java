package io.millrace.core.batch;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.type.DataType;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.time.Duration;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BaseVariableWidthViewVector;
import org.apache.arrow.vector.DateMilliVector;
import org.apache.arrow.vector.Decimal256Vector;
import org.apache.arrow.vector.IntervalDayVector;
import org.apache.arrow.vector.IntervalYearVector;

/** Arrow layouts that hold what ours hold in another way. */
final class ArrowConversions {
  private static final long MILLIS_PER_DAY = 86_400_000L;
  private static final long NANOS_PER_MILLI = 1_000_000L;

  private ArrowConversions() {}

  /** Whether a vector's values have another layout than the type they read as. */
  static boolean isNeeded(BaseFixedWidthVector vector) {
    return vector instanceof DateMilliVector
        || vector instanceof IntervalYearVector
        || vector instanceof IntervalDayVector
        || vector instanceof Decimal256Vector;
  }

  static FlatVector convert(BaseFixedWidthVector vector, DataType type, BufferAllocator allocator) {
    try (VectorBuilder builder = new VectorBuilder(type, allocator)) {
      for (int row = 0; row < vector.getValueCount(); row++) {
        if (vector.isNull(row)) {
          builder.appendNull();
        } else {
          append(vector, row, builder);
        }
      }
      return builder.finish();
    }
  }

  private static void append(BaseFixedWidthVector vector, int row, VectorBuilder builder) {
    switch (vector) {
      case DateMilliVector dates ->
          builder.appendLong(Math.floorDiv(dates.get(row), MILLIS_PER_DAY));
      case IntervalYearVector months ->
          builder.appendInterval(months.getDataBuffer().getInt(4L * row), 0, 0);
      case IntervalDayVector days -> {
        Duration value = days.getObject(row);
        long millis = value.toMillis();
        long whole = days.getDataBuffer().getInt(8L * row);
        builder.appendInterval(0, (int) whole, (millis - whole * MILLIS_PER_DAY) * NANOS_PER_MILLI);
      }
      case Decimal256Vector decimals -> {
        BigDecimal value = decimals.getObject(row);
        builder.appendDecimal(value);
      }
      default -> throw new AssertionError("No conversion is needed: " + vector.getField());
    }
  }

  /** int64 offsets as int32, starting at zero. */
  static ArrowBuf narrowOffsets(ArrowBuf offsets, int length, BufferAllocator allocator) {
    if (length == 0) {
      return IpcParts.zeroOffset(allocator);
    }
    long last = offsets.getLong(8L * length);
    if (last > Integer.MAX_VALUE) {
      throw new MillraceException(
          ErrorCode.VALUE_TOO_LARGE,
          "A column of an Arrow batch holds more than 2 GiB; write smaller batches: " + last);
    }
    ArrowBuf narrow = allocator.buffer(4L * length + 4);
    MemorySegment source =
        MemorySegment.ofAddress(offsets.memoryAddress()).reinterpret(8L * length + 8);
    MemorySegment target =
        MemorySegment.ofAddress(narrow.memoryAddress()).reinterpret(4L * length + 4);
    for (int index = 0; index <= length; index++) {
      target.set(Layouts.INT32, 4L * index, (int) source.get(Layouts.INT64, 8L * index));
    }
    return narrow;
  }

  static FlatVector copyViews(
      BaseVariableWidthViewVector views, DataType type, BufferAllocator allocator) {
    try (VectorBuilder builder = new VectorBuilder(type, allocator)) {
      for (int row = 0; row < views.getValueCount(); row++) {
        if (views.isNull(row)) {
          builder.appendNull();
        } else {
          builder.appendBytes(bytes(views, row));
        }
      }
      return builder.finish();
    }
  }

  private static byte[] bytes(BaseVariableWidthViewVector views, int row) {
    return switch (views) {
      case org.apache.arrow.vector.ViewVarCharVector text -> text.get(row);
      case org.apache.arrow.vector.ViewVarBinaryVector binary -> binary.get(row);
      default -> throw new AssertionError("No such view: " + views.getField());
    };
  }
}
