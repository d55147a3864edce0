package io.millrace.lance.write;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.error.NearestNames;
import io.millrace.core.type.ArrowTypes;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import io.millrace.core.type.StorageTypes;
import io.millrace.lance.jni.LanceLocation;
import java.util.Arrays;
import java.util.OptionalInt;

/** Matches the columns of rows that are appended to those of the table, by name. */
final class ColumnMatch {
  private ColumnMatch() {}

  /**
   * For each column of the table the rows' column, or −1 where the rows have none and nulls are
   * stored.
   *
   * @throws MillraceException SCHEMA_MISMATCH for a column that the table lacks or has with another
   *     type, or that the rows lack and the table cannot leave out
   */
  static int[] of(
      Schema rows, org.apache.arrow.vector.types.pojo.Schema table, LanceLocation location) {
    Schema target = ArrowTypes.fromArrow(table);
    int[] columnOfField = new int[target.size()];
    Arrays.fill(columnOfField, -1);
    for (int column = 0; column < rows.size(); column++) {
      Field row = rows.field(column);
      OptionalInt found = target.find(row.name());
      if (found.isEmpty()) {
        throw mismatch(
            "The table has no column of this name: '"
                + row.name()
                + "'"
                + NearestNames.hint(row.name(), target.names()),
            location);
      }
      Field field = target.field(found.getAsInt());
      if (!StorageTypes.sameShape(row.type(), field.type())) {
        throw mismatch(
            "A column has another type in the table; cast it: '"
                + row.name()
                + "' is "
                + row.type()
                + ", in the table "
                + field.type(),
            location);
      }
      columnOfField[found.getAsInt()] = column;
    }
    for (int index = 0; index < columnOfField.length; index++) {
      if (columnOfField[index] < 0 && !target.field(index).nullable()) {
        throw mismatch(
            "The rows lack a column of the table that takes no nulls: '"
                + target.field(index).name()
                + "'",
            location);
      }
    }
    return columnOfField;
  }

  private static MillraceException mismatch(String text, LanceLocation location) {
    return new MillraceException(ErrorCode.SCHEMA_MISMATCH, text + ", " + location);
  }
}
