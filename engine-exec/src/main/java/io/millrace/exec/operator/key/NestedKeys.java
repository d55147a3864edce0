package io.millrace.exec.operator.key;

import io.millrace.core.batch.FlatVector;
import io.millrace.core.batch.Layouts;
import io.millrace.core.batch.VectorBuilder;
import io.millrace.core.type.DataType;
import io.millrace.core.type.StorageTypes;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;

/**
 * Lists, structs and maps as bytes and back: a byte that says null or not, then the value; a list
 * with its length first. A slow path, used for keys of nested types only.
 */
final class NestedKeys {
  private NestedKeys() {}

  /** Appends one row. */
  static void write(FlatVector vector, int row, ByteArrayOutputStream out) {
    if (vector.isNull(row)) {
      out.write(0);
      return;
    }
    out.write(1);
    switch (vector.layout().kind()) {
      case EMPTY -> {}
      case BITS -> out.write(vector.booleanAt(row) ? 1 : 0);
      case FIXED -> writeFixed(vector, row, out);
      case VARIABLE -> {
        byte[] bytes = vector.bytesAt(row);
        writeInt(bytes.length, out);
        out.write(bytes, 0, bytes.length);
      }
      case LIST -> {
        writeInt(vector.endAt(row) - vector.startAt(row), out);
        for (int index = vector.startAt(row); index < vector.endAt(row); index++) {
          write(vector.child(0), index, out);
        }
      }
      case FIXED_LIST -> {
        int size = vector.layout().listSize();
        for (int index = row * size; index < (row + 1) * size; index++) {
          write(vector.child(0), index, out);
        }
      }
      case STRUCT -> vector.children().forEach(child -> write(child, row, out));
    }
  }

  private static void writeFixed(FlatVector vector, int row, ByteArrayOutputStream out) {
    if (StorageTypes.of(vector.type()) instanceof DataType.Float number) {
      long bits =
          switch (number.bits()) {
            case 16 -> CanonicalFloats.float16((short) vector.longAt(row));
            case 32 -> CanonicalFloats.float32((int) vector.longAt(row));
            default -> CanonicalFloats.float64(vector.longAt(row));
          };
      for (int index = 0; index < number.bits() / 8; index++) {
        out.write((int) (bits >>> 8 * index));
      }
    } else if (StorageTypes.of(vector.type()) instanceof DataType.Interval) {
      writeLong(CanonicalInterval.days(vector.values(), 16L * row), out);
      writeLong(CanonicalInterval.nanoseconds(vector.values(), 16L * row), out);
    } else {
      byte[] bytes = vector.bytesAt(row);
      out.write(bytes, 0, bytes.length);
    }
  }

  private static void writeLong(long value, ByteArrayOutputStream out) {
    writeInt((int) value, out);
    writeInt((int) (value >>> 32), out);
  }

  private static void writeInt(int value, ByteArrayOutputStream out) {
    for (int index = 0; index < 4; index++) {
      out.write(value >>> 8 * index);
    }
  }

  /** Appends the row written at the position; gives the position after it. */
  static long read(MemorySegment bytes, long position, VectorBuilder builder) {
    if (bytes.get(Layouts.INT8, position) == 0) {
      builder.appendNull();
      return position + 1;
    }
    long at = position + 1;
    DataType storage = StorageTypes.of(builder.type());
    switch (storage) {
      case DataType.Bool bool -> {
        builder.appendBoolean(bytes.get(Layouts.INT8, at) != 0);
        return at + 1;
      }
      case DataType.Text text -> at = readBytes(bytes, at, builder);
      case DataType.Binary binary -> at = readBytes(bytes, at, builder);
      case DataType.ListOf list -> at = readList(bytes, at, builder);
      case DataType.MapOf map -> at = readList(bytes, at, builder);
      case DataType.Interval interval -> {
        CanonicalInterval.append(bytes, at, builder);
        at += 16;
      }
      case DataType.FixedList list -> {
        for (int index = 0; index < list.length(); index++) {
          at = read(bytes, at, builder.child(0));
        }
        builder.endList();
      }
      case DataType.Struct struct -> {
        for (int index = 0; index < struct.fields().size(); index++) {
          at = read(bytes, at, builder.child(index));
        }
        builder.endStruct();
      }
      default -> {
        int width = io.millrace.core.batch.PhysicalLayout.of(storage).byteWidth();
        builder.appendBytes(bytes, at, width);
        at += width;
      }
    }
    return at;
  }

  private static long readBytes(MemorySegment bytes, long at, VectorBuilder builder) {
    int length = bytes.get(Layouts.INT32, at);
    builder.appendBytes(bytes, at + 4, length);
    return at + 4 + length;
  }

  private static long readList(MemorySegment bytes, long at, VectorBuilder builder) {
    int length = bytes.get(Layouts.INT32, at);
    long position = at + 4;
    for (int index = 0; index < length; index++) {
      position = read(bytes, position, builder.child(0));
    }
    builder.endList();
    return position;
  }
}
