package io.millrace.exec.format.parquet.read;

import io.millrace.core.batch.Bits;
import io.millrace.core.batch.FlatVector;
import io.millrace.core.batch.Gather;
import io.millrace.core.batch.Layouts;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.StorageTypes;
import io.millrace.core.type.TimeUnit;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Gives columns the types that Parquet has no place for, as the writer's {@code ARROW:schema} tells
 * them: zones, seconds, durations, lists of one length, embeddings, images and the other multimodal
 * types over their storage.
 */
final class TypeRestoration {
  private TypeRestoration() {}

  /** Whether values stored as one type can be given the other. */
  static boolean isPossible(DataType stored, DataType wanted) {
    if (StorageTypes.sameShape(stored, wanted)) {
      return true;
    }
    return switch (StorageTypes.of(wanted)) {
      case DataType.Null type -> stored.equals(DataType.INT32);
      case DataType.Duration type -> stored.equals(DataType.INT64);
      case DataType.Timestamp type ->
          stored instanceof DataType.Timestamp own
              && own.zone().isPresent() == type.zone().isPresent()
              && storedUnit(type.unit()) == own.unit();
      case DataType.Time type ->
          stored instanceof DataType.Time own && storedUnit(type.unit()) == own.unit();
      case DataType.ListOf type ->
          stored instanceof DataType.ListOf own && isPossible(own.element(), type.element());
      case DataType.FixedList type ->
          stored instanceof DataType.ListOf own && isPossible(own.element(), type.element());
      case DataType.MapOf type ->
          stored instanceof DataType.MapOf own
              && isPossible(own.key(), type.key())
              && isPossible(own.value(), type.value());
      case DataType.Struct type -> {
        boolean possible =
            stored instanceof DataType.Struct own && own.fields().size() == type.fields().size();
        for (int index = 0; possible && index < type.fields().size(); index++) {
          Field own = ((DataType.Struct) stored).fields().get(index);
          Field member = type.fields().get(index);
          possible = own.name().equals(member.name()) && isPossible(own, member);
        }
        yield possible;
      }
      case DataType plain -> StorageTypes.sameShape(stored, plain);
    };
  }

  private static boolean isPossible(Field stored, Field wanted) {
    return isPossible(stored.type(), wanted.type());
  }

  private static TimeUnit storedUnit(TimeUnit unit) {
    return unit == TimeUnit.SECOND ? TimeUnit.MILLISECOND : unit;
  }

  /**
   * The column under its type; consumes it, also when it throws.
   *
   * @throws IllegalArgumentException when a list has another length than the type says
   */
  static FlatVector apply(FlatVector stored, DataType wanted, BufferAllocator allocator) {
    try (stored) {
      return restored(stored, wanted, allocator);
    }
  }

  private static FlatVector restored(
      FlatVector stored, DataType wanted, BufferAllocator allocator) {
    return switch (StorageTypes.of(wanted)) {
      case DataType.Null type -> FlatVector.ofNulls(wanted, stored.length(), allocator);
      case DataType.Timestamp type when type.unit() == TimeUnit.SECOND ->
          seconds(stored, wanted, allocator);
      case DataType.Time type when type.unit() == TimeUnit.SECOND ->
          seconds(stored, wanted, allocator);
      case DataType.FixedList type when stored.type() instanceof DataType.ListOf ->
          fixedLists(stored, wanted, type, allocator);
      case DataType.ListOf type -> nested(stored, wanted, allocator);
      case DataType.MapOf type -> nested(stored, wanted, allocator);
      case DataType.Struct type -> nested(stored, wanted, allocator);
      case DataType plain -> stored.withType(wanted);
    };
  }

  private static ArrowBuf retain(ArrowBuf buffer) {
    if (buffer != null) {
      buffer.getReferenceManager().retain();
    }
    return buffer;
  }

  private static FlatVector nested(FlatVector stored, DataType wanted, BufferAllocator allocator) {
    List<DataType> types = StorageTypes.childTypes(wanted);
    List<FlatVector> children = new ArrayList<>();
    try {
      for (int index = 0; index < types.size(); index++) {
        children.add(restored(stored.child(index), types.get(index), allocator));
      }
      List<FlatVector> given = List.copyOf(children);
      children.clear();
      return FlatVector.ofNested(
          wanted,
          stored.length(),
          stored.nullCount(),
          retain(stored.validityBuffer()),
          retain(stored.offsetBuffer()),
          given);
    } finally {
      children.forEach(FlatVector::close);
    }
  }

  private static FlatVector seconds(FlatVector stored, DataType wanted, BufferAllocator allocator) {
    if (stored.type().equals(wanted)) {
      return stored.retain();
    }
    int width = stored.layout().byteWidth();
    ArrowBuf counts = allocator.buffer((long) stored.length() * width);
    MemorySegment target =
        MemorySegment.ofAddress(counts.memoryAddress()).reinterpret(counts.capacity());
    for (int row = 0; row < stored.length(); row++) {
      long seconds = Math.floorDiv(stored.longAt(row), 1000L);
      if (width == 8) {
        target.set(Layouts.INT64, 8L * row, seconds);
      } else {
        target.set(Layouts.INT32, 4L * row, (int) seconds);
      }
    }
    return FlatVector.ofFixedWidth(
        wanted, stored.length(), stored.nullCount(), retain(stored.validityBuffer()), counts);
  }

  private static FlatVector fixedLists(
      FlatVector stored, DataType wanted, DataType.FixedList type, BufferAllocator allocator) {
    int size = type.length();
    int[] rows = new int[Math.multiplyExact(stored.length(), size)];
    MemorySegment validity = stored.validity();
    for (int row = 0; row < stored.length(); row++) {
      boolean there = validity == null || Bits.get(validity, row);
      int start = stored.startAt(row);
      if (there && stored.endAt(row) - start != size) {
        throw new IllegalArgumentException(
            "a list of " + (stored.endAt(row) - start) + " elements instead of " + size);
      }
      for (int index = 0; index < size; index++) {
        rows[row * size + index] = there ? start + index : -1;
      }
    }
    FlatVector elements = restored(stored.child(0), type.element().type(), allocator);
    try (elements) {
      FlatVector gathered = Gather.flat(elements, rows, rows.length, allocator);
      return FlatVector.ofNested(
          wanted,
          stored.length(),
          stored.nullCount(),
          retain(stored.validityBuffer()),
          null,
          List.of(gathered));
    }
  }
}
