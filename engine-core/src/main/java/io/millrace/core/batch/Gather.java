package io.millrace.core.batch;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Copies rows of a vector by index into a new vector. An index of −1 gives null. Sources stay owned
 * by the caller. Loops run per width, without allocation per row.
 */
public final class Gather {
  private Gather() {}

  /** The rows in the source's own form: dictionaries keep their codes, constants stay constant. */
  public static ColumnVector rows(
      ColumnVector source, int[] rows, int count, BufferAllocator allocator) {
    return switch (source) {
      case FlatVector flat -> flat(flat, rows, count, allocator);
      case DictionaryVector coded -> {
        FlatVector codes = flat(coded.codeVector(), rows, count, allocator);
        yield new DictionaryVector(codes, coded.dictionary().retain());
      }
      case ConstantVector constant ->
          constant.isNull() || !anyNegative(rows, count)
              ? new ConstantVector(constant.value().retain(), count)
              : flatten(constant, rows, count, allocator);
    };
  }

  /** The rows as a flat vector. */
  public static FlatVector flatten(
      ColumnVector source, int[] rows, int count, BufferAllocator allocator) {
    return switch (source) {
      case FlatVector flat -> flat(flat, rows, count, allocator);
      case DictionaryVector coded -> {
        int[] codes = coded.codesOrMinusOne();
        int[] entries = new int[count];
        for (int index = 0; index < count; index++) {
          entries[index] = rows[index] < 0 ? -1 : codes[rows[index]];
        }
        FlatVector values = flat(coded.dictionary(), entries, count, allocator);
        yield coded.origin() == null
            ? values
            : values.withOrigin(coded.origin().gather(rows, count));
      }
      case ConstantVector constant -> {
        int[] zeros = new int[count];
        for (int index = 0; index < count; index++) {
          zeros[index] = rows[index] < 0 ? -1 : 0;
        }
        yield flat(constant.value(), zeros, count, allocator);
      }
    };
  }

  /** The rows of a flat vector. */
  public static FlatVector flat(
      FlatVector source, int[] rows, int count, BufferAllocator allocator) {
    boolean negative = anyNegative(rows, count);
    List<ArrowBuf> owned = new ArrayList<>(3);
    List<FlatVector> children = new ArrayList<>(source.children().size());
    try {
      ArrowBuf validity = null;
      if (source.validity() != null || negative) {
        validity = allocate(Bits.byteCount(count), allocator, owned);
        gatherBits(source.validity(), rows, count, segment(validity));
      }
      ArrowBuf offsets = null;
      ArrowBuf values = null;
      switch (source.layout().kind()) {
        case EMPTY -> {}
        case BITS -> {
          values = allocate(Bits.byteCount(count), allocator, owned);
          gatherBits(source.values(), rows, count, segment(values));
        }
        case FIXED -> {
          int width = source.layout().byteWidth();
          values = allocate((long) count * width, allocator, owned);
          gatherFixed(source.values(), width, rows, count, negative, segment(values));
        }
        case VARIABLE -> {
          offsets = allocate(4L * count + 4, allocator, owned);
          long bytes = gatherOffsets(source, rows, count, segment(offsets));
          values = allocate(bytes, allocator, owned);
          gatherBytes(source, rows, count, segment(values));
        }
        case LIST -> {
          offsets = allocate(4L * count + 4, allocator, owned);
          long elements = gatherOffsets(source, rows, count, segment(offsets));
          int[] childRows = listRows(source, rows, count, Math.toIntExact(elements));
          children.add(flat(source.child(0), childRows, childRows.length, allocator));
        }
        case FIXED_LIST -> children.add(fixedListChild(source, rows, count, allocator));
        case STRUCT -> {
          for (FlatVector child : source.children()) {
            children.add(flat(child, rows, count, allocator));
          }
        }
      }
      owned.clear();
      List<FlatVector> given = List.copyOf(children);
      children.clear();
      FlatVector gathered =
          new FlatVector(source.type(), count, -1, validity, offsets, values, given);
      return source.origin() == null
          ? gathered
          : gathered.withOrigin(source.origin().gather(rows, count));
    } finally {
      owned.forEach(ArrowBuf::close);
      children.forEach(FlatVector::close);
    }
  }

  private static ArrowBuf allocate(long bytes, BufferAllocator allocator, List<ArrowBuf> owned) {
    ArrowBuf buffer = allocator.buffer(bytes);
    owned.add(buffer);
    return buffer;
  }

  private static MemorySegment segment(ArrowBuf buffer) {
    return buffer.capacity() == 0
        ? MemorySegment.NULL
        : MemorySegment.ofAddress(buffer.memoryAddress()).reinterpret(buffer.capacity());
  }

  private static boolean anyNegative(int[] rows, int count) {
    int signs = 0;
    for (int index = 0; index < count; index++) {
      signs |= rows[index];
    }
    return signs < 0;
  }

  /** Bits of the source, ones when it is null; zero for a negative index. */
  private static void gatherBits(
      MemorySegment source, int[] rows, int count, MemorySegment target) {
    for (int from = 0; from < count; from += 8) {
      int packed = 0;
      int end = Math.min(8, count - from);
      for (int bit = 0; bit < end; bit++) {
        int row = rows[from + bit];
        if (row >= 0 && (source == null || Bits.get(source, row))) {
          packed |= 1 << bit;
        }
      }
      target.set(Layouts.INT8, from >>> 3, (byte) packed);
    }
  }

  private static void gatherFixed(
      MemorySegment source,
      int width,
      int[] rows,
      int count,
      boolean negative,
      MemorySegment target) {
    if (negative) {
      gatherFixedOrZero(source, width, rows, count, target);
      return;
    }
    switch (width) {
      case 1 -> {
        for (int index = 0; index < count; index++) {
          target.set(Layouts.INT8, index, source.get(Layouts.INT8, rows[index]));
        }
      }
      case 2 -> {
        for (int index = 0; index < count; index++) {
          target.set(Layouts.INT16, 2L * index, source.get(Layouts.INT16, 2L * rows[index]));
        }
      }
      case 4 -> {
        for (int index = 0; index < count; index++) {
          target.set(Layouts.INT32, 4L * index, source.get(Layouts.INT32, 4L * rows[index]));
        }
      }
      case 8 -> {
        for (int index = 0; index < count; index++) {
          target.set(Layouts.INT64, 8L * index, source.get(Layouts.INT64, 8L * rows[index]));
        }
      }
      case 16 -> {
        for (int index = 0; index < count; index++) {
          long from = 16L * rows[index];
          target.set(Layouts.INT64, 16L * index, source.get(Layouts.INT64, from));
          target.set(Layouts.INT64, 16L * index + 8, source.get(Layouts.INT64, from + 8));
        }
      }
      default -> {
        for (int index = 0; index < count; index++) {
          MemorySegment.copy(
              source, (long) width * rows[index], target, (long) width * index, width);
        }
      }
    }
  }

  private static void gatherFixedOrZero(
      MemorySegment source, int width, int[] rows, int count, MemorySegment target) {
    switch (width) {
      case 4 -> {
        for (int index = 0; index < count; index++) {
          int row = rows[index];
          target.set(Layouts.INT32, 4L * index, row < 0 ? 0 : source.get(Layouts.INT32, 4L * row));
        }
      }
      case 8 -> {
        for (int index = 0; index < count; index++) {
          int row = rows[index];
          target.set(Layouts.INT64, 8L * index, row < 0 ? 0 : source.get(Layouts.INT64, 8L * row));
        }
      }
      default -> {
        target.asSlice(0, (long) width * count).fill((byte) 0);
        for (int index = 0; index < count; index++) {
          if (rows[index] >= 0) {
            MemorySegment.copy(
                source, (long) width * rows[index], target, (long) width * index, width);
          }
        }
      }
    }
  }

  /** Writes the new offsets; gives the last one. Null rows become empty. */
  private static long gatherOffsets(
      FlatVector source, int[] rows, int count, MemorySegment target) {
    MemorySegment offsets = source.offsets();
    MemorySegment validity = source.validity();
    long total = 0;
    target.set(Layouts.INT32, 0, 0);
    for (int index = 0; index < count; index++) {
      int row = rows[index];
      if (row >= 0 && (validity == null || Bits.get(validity, row))) {
        total += offsets.get(Layouts.INT32, 4L * row + 4) - offsets.get(Layouts.INT32, 4L * row);
      }
      target.set(Layouts.INT32, 4L * index + 4, (int) total);
    }
    if (total > Integer.MAX_VALUE) {
      throw new MillraceException(
          ErrorCode.VALUE_TOO_LARGE,
          "A column of a batch holds more than 2 GiB; lower batch.rows: " + total);
    }
    return total;
  }

  private static void gatherBytes(FlatVector source, int[] rows, int count, MemorySegment target) {
    MemorySegment offsets = source.offsets();
    MemorySegment values = source.values();
    MemorySegment validity = source.validity();
    long position = 0;
    for (int index = 0; index < count; index++) {
      int row = rows[index];
      if (row >= 0 && (validity == null || Bits.get(validity, row))) {
        int from = offsets.get(Layouts.INT32, 4L * row);
        int bytes = offsets.get(Layouts.INT32, 4L * row + 4) - from;
        MemorySegment.copy(values, from, target, position, bytes);
        position += bytes;
      }
    }
  }

  private static int[] listRows(FlatVector source, int[] rows, int count, int elements) {
    int[] childRows = new int[elements];
    int position = 0;
    for (int index = 0; index < count; index++) {
      int row = rows[index];
      if (row >= 0 && !source.isNull(row)) {
        int end = source.endAt(row);
        for (int child = source.startAt(row); child < end; child++) {
          childRows[position++] = child;
        }
      }
    }
    return childRows;
  }

  /** Dense numbers (embeddings, tensors, images) move as one wide value a row. */
  private static FlatVector fixedListChild(
      FlatVector source, int[] rows, int count, BufferAllocator allocator) {
    FlatVector child = source.child(0);
    int size = source.layout().listSize();
    boolean negative = anyNegative(rows, count);
    if (child.layout().kind() == PhysicalLayout.Kind.FIXED && child.validity() == null) {
      int width = Math.multiplyExact(size, child.layout().byteWidth());
      ArrowBuf values = allocator.buffer((long) width * count);
      gatherFixed(child.values(), width, rows, count, negative, segment(values));
      return FlatVector.ofFixedWidth(
          child.type(), Math.multiplyExact(count, size), 0, null, values);
    }
    int[] childRows = new int[Math.multiplyExact(count, size)];
    for (int index = 0; index < count; index++) {
      for (int element = 0; element < size; element++) {
        childRows[index * size + element] = rows[index] < 0 ? -1 : rows[index] * size + element;
      }
    }
    return flat(child, childRows, childRows.length, allocator);
  }
}
