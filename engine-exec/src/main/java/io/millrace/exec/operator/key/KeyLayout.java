package io.millrace.exec.operator.key;

import io.millrace.core.batch.PhysicalLayout;
import io.millrace.core.type.DataType;
import io.millrace.core.type.StorageTypes;
import java.util.ArrayList;
import java.util.List;

/**
 * How key columns lie in the words of a key row: first the null bits, one a column, then each
 * column at its offset (fixed width), or the length of its bytes there and the bytes after the
 * fixed part (text, binary, nested types, in column order). The row is padded with zeros to whole
 * words.
 *
 * @param fixedBytes bytes of the fixed part, without padding
 * @param fixedWords words of a row when no column is variable
 * @param variable whether rows differ in length
 */
record KeyLayout(List<Column> columns, int fixedBytes, int fixedWords, boolean variable) {

  /** How the values of a column are made canonical. */
  enum Form {
    /** Always null; takes no bytes. */
    EMPTY,
    BIT,
    /** Bytes as they are, 1, 2, 4, 8 or another number of them. */
    PLAIN,
    /** −0.0 becomes 0.0, every NaN the same one. */
    FLOAT16,
    FLOAT32,
    FLOAT64,
    /** As {@link CanonicalInterval} has it. */
    INTERVAL,
    /** Bytes of any length. */
    BYTES,
    /** Written by {@link NestedKeys}. */
    NESTED
  }

  /**
   * One key column.
   *
   * @param byteOffset where it lies in the fixed part
   * @param byteWidth its bytes there
   */
  record Column(DataType type, Form form, int byteOffset, int byteWidth) {
    boolean isVariable() {
      return form == Form.BYTES || form == Form.NESTED;
    }
  }

  static KeyLayout of(List<DataType> types) {
    List<Column> columns = new ArrayList<>();
    int offset = (types.size() + 7) / 8;
    boolean variable = false;
    for (DataType type : types) {
      Form form = form(type);
      int width =
          switch (form) {
            case EMPTY -> 0;
            case BIT -> 1;
            case PLAIN -> PhysicalLayout.of(type).byteWidth();
            case FLOAT16 -> 2;
            case FLOAT32, BYTES, NESTED -> 4;
            case FLOAT64 -> 8;
            case INTERVAL -> 16;
          };
      Column column = new Column(type, form, offset, width);
      columns.add(column);
      variable |= column.isVariable();
      offset += width;
    }
    return new KeyLayout(List.copyOf(columns), offset, (offset + 7) / 8, variable);
  }

  private static Form form(DataType type) {
    return switch (PhysicalLayout.of(type).kind()) {
      case EMPTY -> Form.EMPTY;
      case BITS -> Form.BIT;
      case VARIABLE -> Form.BYTES;
      case LIST, FIXED_LIST, STRUCT -> Form.NESTED;
      case FIXED ->
          switch (StorageTypes.of(type)) {
            case DataType.Float number ->
                switch (number.bits()) {
                  case 16 -> Form.FLOAT16;
                  case 32 -> Form.FLOAT32;
                  default -> Form.FLOAT64;
                };
            case DataType.Interval interval -> Form.INTERVAL;
            default -> Form.PLAIN;
          };
    };
  }

  /** Whether keys of both layouts can be compared. */
  boolean fits(KeyLayout other) {
    if (columns.size() != other.columns.size()) {
      return false;
    }
    for (int index = 0; index < columns.size(); index++) {
      Column mine = columns.get(index);
      Column theirs = other.columns.get(index);
      if (mine.form() != theirs.form()
          || mine.byteWidth() != theirs.byteWidth()
          || !StorageTypes.sameShape(mine.type(), theirs.type())) {
        return false;
      }
    }
    return true;
  }
}
