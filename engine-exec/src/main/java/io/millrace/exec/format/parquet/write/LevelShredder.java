package io.millrace.exec.format.parquet.write;

import io.millrace.core.batch.Bits;
import io.millrace.core.batch.FlatVector;
import io.millrace.core.batch.PhysicalLayout;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;

/**
 * Cuts columns into the entries of their leaves. Source: the Dremel encoding, as in the Parquet
 * specification's Nested Encoding section.
 */
final class LevelShredder {
  private final List<LeafWriter> leaves;

  LevelShredder(List<LeafWriter> leaves) {
    this.leaves = leaves;
  }

  /**
   * Entries on their way to a leaf: levels so far, and which value of the part stands for each; −1
   * where something above is null or empty, so that the levels are final.
   */
  private static final class Slots {
    private int[] repetitions;
    private int[] definitions;
    private int[] indexes;
    private int count;

    Slots(int capacity) {
      repetitions = new int[capacity];
      definitions = new int[capacity];
      indexes = new int[capacity];
    }

    void add(int repetition, int definition, int index) {
      if (count == indexes.length) {
        int capacity = Math.max(16, 2 * count);
        repetitions = Arrays.copyOf(repetitions, capacity);
        definitions = Arrays.copyOf(definitions, capacity);
        indexes = Arrays.copyOf(indexes, capacity);
      }
      repetitions[count] = repetition;
      definitions[count] = definition;
      indexes[count] = index;
      count++;
    }
  }

  /** Writes rows of a top-level column. */
  void write(StoredField field, FlatVector column, int from, int to) {
    Slots slots = new Slots(to - from);
    for (int row = from; row < to; row++) {
      slots.add(0, 0, row);
    }
    part(field, column, slots);
  }

  private void part(StoredField field, FlatVector values, Slots slots) {
    defineNulls(field, values, slots);
    if (field.leaf() >= 0) {
      leaves
          .get(field.leaf())
          .add(values, slots.repetitions, slots.definitions, slots.indexes, slots.count);
      return;
    }
    PhysicalLayout layout = values.layout();
    switch (layout.kind()) {
      case STRUCT -> {
        for (int member = 0; member < field.children().size(); member++) {
          part(field.children().get(member), values.child(member), copy(slots));
        }
      }
      case LIST -> {
        Slots elements = elements(field, values, slots);
        FlatVector child = values.child(0);
        if (field.children().size() == 1) {
          part(field.children().getFirst(), child, elements);
        } else {
          part(field.children().getFirst(), child.child(0), copy(elements));
          part(field.children().getLast(), child.child(1), elements);
        }
      }
      case FIXED_LIST ->
          part(field.children().getFirst(), values.child(0), elements(field, values, slots));
      case EMPTY, BITS, FIXED, VARIABLE ->
          throw new IllegalStateException("a leaf that is none: " + field.field());
    }
  }

  private static Slots copy(Slots slots) {
    Slots copy = new Slots(0);
    copy.repetitions = slots.repetitions.clone();
    copy.definitions = slots.definitions.clone();
    copy.indexes = slots.indexes.clone();
    copy.count = slots.count;
    return copy;
  }

  private static void defineNulls(StoredField field, FlatVector values, Slots slots) {
    boolean empty = values.layout().kind() == PhysicalLayout.Kind.EMPTY;
    MemorySegment validity = values.validity();
    boolean nullable = field.field().nullable();
    for (int slot = 0; slot < slots.count; slot++) {
      int index = slots.indexes[slot];
      if (index < 0) {
        continue;
      }
      if (!empty && (validity == null || Bits.get(validity, index))) {
        slots.definitions[slot] = field.definition();
      } else if (nullable) {
        slots.indexes[slot] = -1;
      } else {
        throw new MillraceException(
            ErrorCode.MALFORMED_VALUE,
            "A column that may not be null has a null: '" + field.field().name() + "'");
      }
    }
  }

  private static Slots elements(StoredField field, FlatVector values, Slots slots) {
    Slots elements = new Slots(Math.max(slots.count, values.child(0).length()));
    int fixed = values.layout().listSize();
    boolean isFixed = values.layout().kind() == PhysicalLayout.Kind.FIXED_LIST;
    for (int slot = 0; slot < slots.count; slot++) {
      int index = slots.indexes[slot];
      int start = index < 0 ? 0 : isFixed ? index * fixed : values.startAt(index);
      int end = index < 0 ? 0 : isFixed ? start + fixed : values.endAt(index);
      if (start == end) {
        elements.add(slots.repetitions[slot], slots.definitions[slot], -1);
        continue;
      }
      elements.add(slots.repetitions[slot], field.definition() + 1, start);
      for (int element = start + 1; element < end; element++) {
        elements.add(field.repetition() + 1, field.definition() + 1, element);
      }
    }
    return elements;
  }
}
