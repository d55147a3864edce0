package io.millrace.exec.expression;

import io.millrace.core.batch.Bits;
import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.ConstantVector;
import io.millrace.core.batch.DictionaryVector;
import io.millrace.core.batch.FlatVector;
import io.millrace.core.batch.Layouts;
import io.millrace.core.batch.PhysicalLayout;
import io.millrace.core.batch.VectorBuilder;
import io.millrace.core.spi.RowSet;
import io.millrace.core.type.DataType;
import io.millrace.core.type.StorageTypes;
import io.millrace.exec.kernel.lane.ValidityMask;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Takes each row from one of several columns of one type. Rows of no part are null.
 *
 * @param column borrowed
 * @param rows the rows taken from it
 */
record RowMerge(ColumnVector column, RowSet rows) {

  /** Whether the column can stand for the result; a NULL without a type cannot. */
  boolean hasType(DataType type) {
    return StorageTypes.sameShape(column.type(), type);
  }

  /** The merged column, owned by the caller. */
  static FlatVector merge(
      List<RowMerge> parts, DataType type, int length, BufferAllocator allocator) {
    PhysicalLayout layout = PhysicalLayout.of(type);
    return switch (layout.kind()) {
      case BITS, FIXED -> mergeFixed(parts, type, layout.byteWidth(), length, allocator);
      case EMPTY, VARIABLE, LIST, FIXED_LIST, STRUCT -> mergeAny(parts, type, length, allocator);
    };
  }

  private static FlatVector mergeFixed(
      List<RowMerge> parts, DataType type, int width, int length, BufferAllocator allocator) {
    ValidityMask mask = new ValidityMask();
    mask.reset(length);
    mask.clearAll();
    ArrowBuf values = allocator.buffer(width == 0 ? Bits.byteCount(length) : (long) width * length);
    try {
      MemorySegment target =
          values.capacity() == 0
              ? MemorySegment.NULL
              : MemorySegment.ofAddress(values.memoryAddress()).reinterpret(values.capacity());
      if (width == 0) {
        target.fill((byte) 0);
      }
      for (RowMerge part : parts) {
        part.copyFixed(target, width, mask);
      }
      ArrowBuf validity = mask.buffer(allocator);
      ArrowBuf given = values;
      values = null;
      return FlatVector.ofFixedWidth(type, length, validity == null ? 0 : -1, validity, given);
    } finally {
      if (values != null) {
        values.close();
      }
    }
  }

  /** The row of {@link #flat} behind a row of the column; −1 for null. */
  private int flatRow(int row) {
    return switch (column) {
      case FlatVector flat -> flat.isNull(row) ? -1 : row;
      case ConstantVector constant -> constant.isNull() ? -1 : 0;
      case DictionaryVector coded -> coded.isNull(row) ? -1 : coded.codeAt(row);
    };
  }

  private FlatVector flat() {
    return switch (column) {
      case FlatVector flat -> flat;
      case ConstantVector constant -> constant.value();
      case DictionaryVector coded -> coded.dictionary();
    };
  }

  private void copyFixed(MemorySegment target, int width, ValidityMask mask) {
    MemorySegment source = flat().values();
    for (int position = 0; position < rows.count(); position++) {
      int row = rows.row(position);
      int from = flatRow(row);
      if (from < 0) {
        continue;
      }
      mask.set(row);
      switch (width) {
        case 0 -> {
          if (Bits.get(source, from)) {
            Bits.set(target, row, true);
          }
        }
        case 4 -> target.set(Layouts.INT32, 4L * row, source.get(Layouts.INT32, 4L * from));
        case 8 -> target.set(Layouts.INT64, 8L * row, source.get(Layouts.INT64, 8L * from));
        case 16 -> {
          target.set(Layouts.INT64, 16L * row, source.get(Layouts.INT64, 16L * from));
          target.set(Layouts.INT64, 16L * row + 8, source.get(Layouts.INT64, 16L * from + 8));
        }
        default ->
            MemorySegment.copy(source, (long) width * from, target, (long) width * row, width);
      }
    }
  }

  private static FlatVector mergeAny(
      List<RowMerge> parts, DataType type, int length, BufferAllocator allocator) {
    byte[] partOfRow = new byte[length];
    for (int index = 0; index < parts.size(); index++) {
      RowSet rows = parts.get(index).rows();
      for (int position = 0; position < rows.count(); position++) {
        // More parts than a byte counts would be a CASE of over 250 branches: see partAt.
        partOfRow[rows.row(position)] = (byte) Math.min(255, index + 1);
      }
    }
    try (VectorBuilder builder = new VectorBuilder(type, allocator)) {
      for (int row = 0; row < length; row++) {
        int number = partOfRow[row] & 0xff;
        RowMerge part = number == 0 ? null : partAt(parts, number, row);
        int from = part == null ? -1 : part.flatRow(row);
        if (from < 0) {
          builder.appendNull();
        } else {
          builder.appendFrom(part.flat(), from);
        }
      }
      return builder.finish();
    }
  }

  private static RowMerge partAt(List<RowMerge> parts, int number, int row) {
    if (number < 255) {
      return parts.get(number - 1);
    }
    for (RowMerge part : parts.subList(254, parts.size())) {
      RowSet rows = part.rows();
      boolean has = rows.isAll() || Arrays.binarySearch(rows.selected(), 0, rows.count(), row) >= 0;
      if (has) {
        return part;
      }
    }
    throw new IllegalStateException("A row belongs to a part");
  }
}
