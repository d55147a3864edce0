package io.millrace.exec.expression;

import io.millrace.core.batch.Bits;
import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.ConstantVector;
import io.millrace.core.batch.DictionaryVector;
import io.millrace.core.batch.FlatVector;
import io.millrace.core.batch.Layouts;
import io.millrace.core.spi.RowSet;
import io.millrace.core.type.DataType;
import java.lang.foreign.MemorySegment;

/** Reads columns of booleans. */
final class Truths {
  static final byte FALSE = 0;
  static final byte TRUE = 1;
  static final byte NULL = 2;

  private Truths() {}

  /** Appends to the target, from 0, the rows that are true; gives how many. */
  static int select(ColumnVector truths, RowSet rows, int[] target) {
    if (truths.type() instanceof DataType.Null) {
      return 0;
    }
    return switch (truths) {
      case ConstantVector constant ->
          constant.isNull() || !constant.value().booleanAt(0) ? 0 : copyRows(rows, target);
      case FlatVector flat -> selectFlat(flat, rows, target);
      case DictionaryVector coded -> selectCoded(coded, entries(coded), rows, target);
    };
  }

  private static int copyRows(RowSet rows, int[] target) {
    for (int position = 0; position < rows.count(); position++) {
      target[position] = rows.row(position);
    }
    return rows.count();
  }

  private static int selectFlat(FlatVector flat, RowSet rows, int[] target) {
    MemorySegment bits = flat.values();
    MemorySegment validity = flat.validity() == null ? flat.values() : flat.validity();
    int[] selected = rows.selected();
    int found = 0;
    for (int position = 0; position < rows.count(); position++) {
      int row = rows.isAll() ? position : selected[position];
      int both = bits.get(Layouts.INT8, row >>> 3) & validity.get(Layouts.INT8, row >>> 3);
      target[found] = row;
      found += both >>> (row & 7) & 1;
    }
    return found;
  }

  /**
   * Appends to the target, from 0, the rows whose entry is true; gives how many.
   *
   * @param coded a column, of which only the codes are read
   * @param entries 1 for each entry that is true, else 0
   */
  static int selectCoded(DictionaryVector coded, byte[] entries, RowSet rows, int[] target) {
    MemorySegment codes = coded.codes();
    MemorySegment validity = coded.validity();
    int[] selected = rows.selected();
    int count = rows.count();
    int found = 0;
    if (validity != null) {
      for (int position = 0; position < count; position++) {
        int row = rows.row(position);
        if (Bits.get(validity, row)) {
          target[found] = row;
          found += entries[codes.get(Layouts.INT32, 4L * row)];
        }
      }
    } else if (rows.isAll()) {
      for (int row = 0; row < count; row++) {
        target[found] = row;
        found += entries[codes.get(Layouts.INT32, 4L * row)];
      }
    } else {
      for (int position = 0; position < count; position++) {
        int row = selected[position];
        target[found] = row;
        found += entries[codes.get(Layouts.INT32, 4L * row)];
      }
    }
    return found;
  }

  private static byte[] entries(DictionaryVector coded) {
    byte[] entries = new byte[coded.dictionary().length()];
    for (int entry = 0; entry < entries.length; entry++) {
      entries[entry] = coded.dictionary().booleanAt(entry) ? TRUE : FALSE;
    }
    return entries;
  }

  /** Writes TRUE, FALSE or NULL for each row of the set, at its row index. */
  static void read(ColumnVector truths, RowSet rows, byte[] target) {
    switch (truths) {
      case ConstantVector constant -> {
        byte value = constant.isNull() ? NULL : constant.value().booleanAt(0) ? TRUE : FALSE;
        for (int position = 0; position < rows.count(); position++) {
          target[rows.row(position)] = value;
        }
      }
      case FlatVector flat -> {
        boolean allNull = flat.type() instanceof DataType.Null;
        MemorySegment bits = flat.values();
        MemorySegment validity = flat.validity();
        for (int position = 0; position < rows.count(); position++) {
          int row = rows.row(position);
          boolean valid = !allNull && (validity == null || Bits.get(validity, row));
          target[row] = !valid ? NULL : Bits.get(bits, row) ? TRUE : FALSE;
        }
      }
      case DictionaryVector coded -> {
        byte[] entries = entries(coded);
        for (int position = 0; position < rows.count(); position++) {
          int row = rows.row(position);
          target[row] = coded.isNull(row) ? NULL : entries[coded.codeAt(row)];
        }
      }
    }
  }
}
