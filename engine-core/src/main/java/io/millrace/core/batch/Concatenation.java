package io.millrace.core.batch;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Joins vectors of one type row after row into a new vector; the sources stay owned by the caller.
 */
public final class Concatenation {
  private Concatenation() {}

  /**
   * A dictionary vector when all sources share one dictionary, else a flat one.
   *
   * @param sources at least one, all of one type
   */
  public static ColumnVector of(List<? extends ColumnVector> sources, BufferAllocator allocator) {
    if (sources.get(0) instanceof DictionaryVector first
        && sources.stream()
            .allMatch(
                source ->
                    source instanceof DictionaryVector coded && first.sameDictionary(coded))) {
      FlatVector codes =
          ofFlat(
              sources.stream().map(source -> ((DictionaryVector) source).codeVector()).toList(),
              allocator);
      return new DictionaryVector(codes, first.dictionary().retain());
    }
    List<FlatVector> flat = new ArrayList<>(sources.size());
    try {
      for (ColumnVector source : sources) {
        flat.add(source.flatten(allocator));
      }
      return ofFlat(flat, allocator);
    } finally {
      flat.forEach(FlatVector::close);
    }
  }

  /** The rows of flat vectors. */
  public static FlatVector ofFlat(List<FlatVector> sources, BufferAllocator allocator) {
    FlatVector first = sources.get(0);
    int length = 0;
    for (FlatVector source : sources) {
      length = Math.addExact(length, source.length());
    }
    List<ArrowBuf> owned = new ArrayList<>(3);
    List<FlatVector> children = new ArrayList<>(first.children().size());
    try {
      ArrowBuf validity = null;
      if (sources.stream().anyMatch(source -> source.validity() != null)) {
        validity = allocate(Bits.byteCount(length), allocator, owned);
        copyValidity(sources, segment(validity));
      }
      ArrowBuf offsets = null;
      ArrowBuf values = null;
      switch (first.layout().kind()) {
        case EMPTY -> {}
        case BITS -> {
          values = allocate(Bits.byteCount(length), allocator, owned);
          copyBits(sources, segment(values));
        }
        case FIXED -> {
          values = allocate((long) length * first.layout().byteWidth(), allocator, owned);
          copyFixed(sources, segment(values));
        }
        case VARIABLE -> {
          offsets = allocate(4L * length + 4, allocator, owned);
          long bytes = copyOffsets(sources, segment(offsets));
          values = allocate(bytes, allocator, owned);
          copyBytes(sources, segment(values));
        }
        case LIST -> {
          offsets = allocate(4L * length + 4, allocator, owned);
          copyOffsets(sources, segment(offsets));
          children.add(ofChildRanges(sources, allocator));
        }
        case FIXED_LIST -> children.add(ofChildRanges(sources, allocator));
        case STRUCT -> {
          for (int index = 0; index < first.children().size(); index++) {
            int child = index;
            children.add(
                ofFlat(sources.stream().map(source -> source.child(child)).toList(), allocator));
          }
        }
      }
      owned.clear();
      List<FlatVector> given = List.copyOf(children);
      children.clear();
      return new FlatVector(first.type(), length, -1, validity, offsets, values, given)
          .withOrigin(RowOrigin.concat(sources, length));
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

  private static void copyValidity(List<FlatVector> sources, MemorySegment target) {
    long position = 0;
    for (FlatVector source : sources) {
      if (source.validity() != null) {
        Bits.copy(source.validity(), 0, target, position, source.length());
      } else {
        Bits.setRange(target, position, source.length());
      }
      position += source.length();
    }
  }

  private static void copyBits(List<FlatVector> sources, MemorySegment target) {
    long position = 0;
    for (FlatVector source : sources) {
      Bits.copy(source.values(), 0, target, position, source.length());
      position += source.length();
    }
  }

  private static void copyFixed(List<FlatVector> sources, MemorySegment target) {
    long position = 0;
    for (FlatVector source : sources) {
      long bytes = (long) source.length() * source.layout().byteWidth();
      MemorySegment.copy(source.values(), 0, target, position, bytes);
      position += bytes;
    }
  }

  private static long copyOffsets(List<FlatVector> sources, MemorySegment target) {
    long base = 0;
    long position = 4;
    target.set(Layouts.INT32, 0, 0);
    for (FlatVector source : sources) {
      MemorySegment offsets = source.offsets();
      int first = offsets.get(Layouts.INT32, 0);
      long shift = base - first;
      for (int row = 1; row <= source.length(); row++) {
        long end = offsets.get(Layouts.INT32, 4L * row) + shift;
        target.set(Layouts.INT32, position, (int) end);
        position += 4;
      }
      base += offsets.get(Layouts.INT32, 4L * source.length()) - first;
    }
    if (base > Integer.MAX_VALUE) {
      throw new MillraceException(
          ErrorCode.VALUE_TOO_LARGE,
          "A column of a batch holds more than 2 GiB; lower batch.rows: " + base);
    }
    return base;
  }

  private static void copyBytes(List<FlatVector> sources, MemorySegment target) {
    long position = 0;
    for (FlatVector source : sources) {
      int from = source.startAt(0);
      int bytes = source.endAt(source.length() - 1) - from;
      MemorySegment.copy(source.values(), from, target, position, bytes);
      position += bytes;
    }
  }

  private static FlatVector ofChildRanges(List<FlatVector> sources, BufferAllocator allocator) {
    List<FlatVector> ranges = new ArrayList<>(sources.size());
    try {
      for (FlatVector source : sources) {
        int size = source.layout().listSize();
        boolean fixed = source.layout().kind() == PhysicalLayout.Kind.FIXED_LIST;
        int from = fixed ? 0 : source.startAt(0);
        int end =
            fixed ? Math.multiplyExact(source.length(), size) : source.endAt(source.length() - 1);
        ranges.add(source.child(0).slice(from, end - from));
      }
      return ofFlat(ranges, allocator);
    } finally {
      ranges.forEach(FlatVector::close);
    }
  }
}
