package io.millrace.exec.format.parquet.read;

import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.DictionaryVector;
import io.millrace.core.batch.FlatVector;
import io.millrace.core.batch.GrowingBuffer;
import io.millrace.core.batch.Layouts;
import io.millrace.core.type.DataType;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;

/** Puts a column together from the entries of its leaves. */
final class ColumnAssembler {
  private final Map<LeafColumn, LeafEntries> entries;
  private final BufferAllocator allocator;

  ColumnAssembler(Map<LeafColumn, LeafEntries> entries, BufferAllocator allocator) {
    this.entries = entries;
    this.allocator = allocator;
  }

  /**
   * A top-level column; the caller owns it. It keeps its dictionary where the leaf's conversion
   * does.
   *
   * @param coded whether it may
   */
  ColumnVector column(ParquetField field, boolean coded) {
    if (coded && field.shape() == ParquetField.Shape.LEAF && field.repetitionLevel() == 0) {
      LeafEntries leaf = entries.get(field.leaf());
      if (leaf.values().dictionary() != null && field.leaf().conversion().keepsCodes()) {
        return coded(leaf, field.leaf());
      }
    }
    return part(field, 0, 0);
  }

  private DictionaryVector coded(LeafEntries leaf, LeafColumn column) {
    int rows = leaf.count();
    int[] codes = leaf.values().codes();
    GrowingBuffer validity = new GrowingBuffer(allocator);
    GrowingBuffer values = new GrowingBuffer(allocator);
    try (values;
        validity) {
      int nulls = 0;
      if (!leaf.isPlain()) {
        int[] slots = new int[rows];
        int next = 0;
        for (int row = 0; row < rows; row++) {
          boolean there = leaf.definition(row) == column.maximumDefinition();
          slots[row] = there ? codes[next++] : 0;
        }
        nulls = rows - next;
        codes = slots;
      }
      values.reserve(4L * rows);
      MemorySegment.copy(codes, 0, values.segment(), Layouts.INT32, 0, rows);
      values.advance(4L * rows);
      if (nulls > 0) {
        for (int row = 0; row < rows; row++) {
          validity.appendBit(row, leaf.definition(row) == column.maximumDefinition());
        }
      }
      return new DictionaryVector(
          rows,
          nulls,
          nulls > 0 ? validity.finish() : null,
          values.finish(),
          leaf.values().dictionary().vector().retain());
    }
  }

  /**
   * A part, with one slot for each entry that starts an element of the list around it.
   *
   * @param repetition level of the list around it
   * @param existence definition level from which on that list's element exists
   */
  private FlatVector part(ParquetField field, int repetition, int existence) {
    return switch (field.shape()) {
      case LEAF -> leaf(field, repetition, existence);
      case STRUCT -> struct(field, field.field().type(), repetition, existence);
      case LIST -> list(field, repetition, existence);
      case MAP -> map(field, repetition, existence);
    };
  }

  private FlatVector leaf(ParquetField field, int repetition, int existence) {
    LeafEntries leaf = entries.get(field.leaf());
    if (leaf.isPlain()) {
      return leaf.values().finish(null, leaf.count());
    }
    int[] slots = new int[leaf.count()];
    int slotCount = 0;
    int next = 0;
    for (int entry = 0; entry < leaf.count(); entry++) {
      int definition = leaf.definition(entry);
      if (leaf.repetition(entry) <= repetition && definition >= existence) {
        slots[slotCount++] = definition == field.leaf().maximumDefinition() ? next++ : -1;
      }
    }
    boolean all = next == slotCount;
    return leaf.values().finish(all ? null : slots, slotCount);
  }

  /** Validity of a part's slots and how many there are. */
  private final class Slots implements AutoCloseable {
    private final GrowingBuffer validity = new GrowingBuffer(allocator);
    private int count;
    private int nullCount;

    void add(boolean there) {
      validity.appendBit(count++, there);
      nullCount += there ? 0 : 1;
    }

    ArrowBuf finish() {
      return nullCount == 0 ? null : validity.finish();
    }

    @Override
    public void close() {
      validity.close();
    }
  }

  private FlatVector struct(ParquetField field, DataType type, int repetition, int existence) {
    LeafEntries leaf = entries.get(field.firstLeaf());
    List<FlatVector> members = new ArrayList<>();
    try (Slots slots = new Slots()) {
      for (int entry = 0; entry < leaf.count(); entry++) {
        if (leaf.repetition(entry) <= repetition && leaf.definition(entry) >= existence) {
          slots.add(leaf.definition(entry) >= field.definitionLevel());
        }
      }
      for (ParquetField member : field.children()) {
        members.add(part(member, repetition, existence));
      }
      List<FlatVector> given = List.copyOf(members);
      members.clear();
      return FlatVector.ofNested(type, slots.count, slots.nullCount, slots.finish(), null, given);
    } finally {
      members.forEach(FlatVector::close);
    }
  }

  /** Where each list starts and ends among the elements. */
  private FlatVector repeated(
      ParquetField field,
      int repetition,
      int existence,
      java.util.function.Supplier<FlatVector> child) {
    LeafEntries leaf = entries.get(field.firstLeaf());
    GrowingBuffer offsets = new GrowingBuffer(allocator);
    try (offsets;
        Slots slots = new Slots()) {
      int elements = 0;
      for (int entry = 0; entry < leaf.count(); entry++) {
        int definition = leaf.definition(entry);
        boolean starts = leaf.repetition(entry) <= repetition;
        if (starts && definition >= existence) {
          offsets.appendInt32(elements);
          slots.add(definition >= field.definitionLevel());
        }
        if (leaf.repetition(entry) <= repetition + 1 && definition >= field.elementLevel()) {
          elements++;
        }
      }
      offsets.appendInt32(elements);
      FlatVector items = child.get();
      return FlatVector.ofNested(
          field.field().type(),
          slots.count,
          slots.nullCount,
          slots.finish(),
          offsets.finish(),
          List.of(items));
    }
  }

  private FlatVector list(ParquetField field, int repetition, int existence) {
    return repeated(
        field,
        repetition,
        existence,
        () -> part(field.children().getFirst(), repetition + 1, field.elementLevel()));
  }

  private FlatVector map(ParquetField field, int repetition, int existence) {
    DataType.MapOf type = (DataType.MapOf) field.field().type();
    DataType pair = new DataType.Struct(List.of(type.key(), type.value()));
    return repeated(
        field,
        repetition,
        existence,
        () -> {
          List<FlatVector> members = new ArrayList<>();
          try {
            for (ParquetField member : field.children()) {
              members.add(part(member, repetition + 1, field.elementLevel()));
            }
            List<FlatVector> given = List.copyOf(members);
            members.clear();
            return FlatVector.ofNested(pair, given.getFirst().length(), 0, null, null, given);
          } finally {
            members.forEach(FlatVector::close);
          }
        });
  }
}
