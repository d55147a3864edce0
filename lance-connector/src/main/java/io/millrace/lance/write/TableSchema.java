package io.millrace.lance.write;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.type.ArrowTypes;
import io.millrace.core.type.DataType;
import java.util.List;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;

/** The Arrow schema that a new table is stored with. */
final class TableSchema {
  private TableSchema() {}

  /**
   * Binary columns get 64-bit offsets: native code that gathers values over 2 GiB into 32-bit ones
   * ends the process. Members of structs and elements of lists become nullable: under a null parent
   * theirs are null too, which Lance refuses for a member that is declared without.
   */
  static Schema forNewTable(io.millrace.core.type.Schema schema) {
    return new Schema(schema.fields().stream().map(TableSchema::stored).toList());
  }

  private static Field stored(io.millrace.core.type.Field field) {
    if (field.type() instanceof DataType.Reference) {
      throw new MillraceException(
          ErrorCode.INVALID_PLAN,
          "A row reference is replaced by its value before it is written: '" + field.name() + "'");
    }
    Field arrow = ArrowTypes.toArrow(field);
    ArrowType type =
        field.type() instanceof DataType.Binary ? ArrowType.LargeBinary.INSTANCE : arrow.getType();
    return new Field(
        arrow.getName(),
        new FieldType(arrow.isNullable(), type, null, arrow.getMetadata()),
        children(arrow));
  }

  private static List<Field> children(Field parent) {
    if (parent.getType() instanceof ArrowType.Map) {
      // A map's entries and keys are never null by definition; only its values may be.
      Field entries = parent.getChildren().getFirst();
      Field value = entries.getChildren().get(1);
      return List.of(
          new Field(
              entries.getName(),
              entries.getFieldType(),
              List.of(entries.getChildren().getFirst(), nullable(value))));
    }
    return parent.getChildren().stream().map(TableSchema::nullable).toList();
  }

  private static Field nullable(Field field) {
    return new Field(
        field.getName(),
        new FieldType(true, field.getType(), null, field.getMetadata()),
        children(field));
  }
}
