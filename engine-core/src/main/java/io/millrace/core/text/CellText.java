package io.millrace.core.text;

import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.FlatVector;
import io.millrace.core.type.DataType;

/** Appends single values of columns; the common types without boxing. */
public final class CellText {
  private CellText() {}

  /** Appends the plain text of a row that is not null. */
  public static void appendPlain(StringBuilder out, ColumnVector column, int row) {
    if (column instanceof FlatVector flat) {
      switch (flat.type()) {
        case DataType.Int integer when integer.signed() || integer.bits() < 64 -> {
          out.append(flat.longAt(row));
          return;
        }
        case DataType.Text text -> {
          out.append(flat.textAt(row));
          return;
        }
        default -> {
          // The general way below.
        }
      }
    }
    PlainText.append(out, column.type(), column.valueAt(row));
  }

  /** Appends a row as JSON. */
  public static void appendJson(StringBuilder out, ColumnVector column, int row) {
    if (column instanceof FlatVector flat
        && flat.type() instanceof DataType.Int integer
        && (integer.signed() || integer.bits() < 64)
        && !flat.isNull(row)) {
      out.append(flat.longAt(row));
      return;
    }
    JsonText.append(out, column.type(), column.valueAt(row));
  }
}
