package io.millrace.lance.write;

import io.millrace.core.type.ArrowTypes;
import io.millrace.core.type.DataType;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;

/** The Arrow schema that a new table is stored with. */
final class TableSchema {
  private TableSchema() {}

  /**
   * Binary columns get 64-bit offsets: native code that gathers values over 2 GiB into 32-bit ones
   * ends the process.
   */
  static Schema forNewTable(io.millrace.core.type.Schema schema) {
    return new Schema(schema.fields().stream().map(TableSchema::stored).toList());
  }

  private static Field stored(io.millrace.core.type.Field field) {
    Field arrow = ArrowTypes.toArrow(field);
    return field.type() instanceof DataType.Binary
        ? new Field(
            arrow.getName(),
            new FieldType(
                arrow.isNullable(), ArrowType.LargeBinary.INSTANCE, null, arrow.getMetadata()),
            null)
        : arrow;
  }
}
