package io.millrace.lance.jni;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import org.apache.arrow.vector.types.DateUnit;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * Refuses schemas that the native library would abort on, store wrongly or answer with noise for.
 */
final class SchemaGuard {
  private static final Set<String> RESERVED_NAMES =
      Set.of(
          "_rowid",
          "_rowaddr",
          "_rowoffset",
          "_row_created_at_version",
          "_row_last_updated_at_version");

  private SchemaGuard() {}

  /**
   * Checks a table that is to be read.
   *
   * @throws MillraceException UNSUPPORTED_TYPE naming the column
   */
  static void checkReadable(Schema schema, String format) {
    for (Field field : schema.getFields()) {
      checkType(field, field.getName(), format);
    }
  }

  /**
   * Checks a table that is to be written in the given format.
   *
   * @throws MillraceException UNSUPPORTED_TYPE, INVALID_ARGUMENT for a name that cannot be stored,
   *     DUPLICATE_NAME
   */
  static void checkWritable(Schema schema, String format) {
    if (schema.getFields().isEmpty()) {
      throw new MillraceException(
          ErrorCode.INVALID_ARGUMENT, "A Lance table needs at least one column");
    }
    for (Field field : schema.getFields()) {
      checkType(field, field.getName(), format);
      checkWritableType(field, field.getName());
      if (LanceDataset.isBlob(field) && LanceFormat.hasMaps(format)) {
        throw unsupported(
            field.getName(), "blobs of the first kind end with file format 2.1", field.getType());
      }
    }
    Set<String> seen = new HashSet<>();
    for (Field field : schema.getFields()) {
      String name = field.getName();
      if (!seen.add(name)) {
        throw new MillraceException(
            ErrorCode.DUPLICATE_NAME,
            "A Lance table holds each column name once; rename one: '" + name + "'");
      }
      if (name.indexOf('.') >= 0
          || !NameGuard.isPassable(name)
          || RESERVED_NAMES.contains(name.toLowerCase(Locale.ROOT))) {
        throw new MillraceException(
            ErrorCode.INVALID_ARGUMENT,
            "A Lance table cannot hold a column of this name (dots, back ticks, characters outside"
                + " the basic plane and Lance's own names are not allowed); rename it: '"
                + name
                + "'");
      }
    }
  }

  private static void checkType(Field field, String path, String format) {
    ArrowType type = field.getType();
    switch (type.getTypeID()) {
      case Utf8View, BinaryView, ListView, LargeListView ->
          throw unsupported(path, "view types are refused by the native library; cast first", type);
      case Map -> {
        if (!LanceFormat.hasMaps(format)) {
          throw unsupported(path, "maps need file format 2.2, this is " + format, type);
        }
      }
      case FixedSizeList -> checkFixedSizeList(field, path);
      case Struct -> {
        if (field.getChildren().isEmpty()) {
          throw unsupported(path, "a struct without members cannot be null or lie in a list", type);
        }
      }
      case Interval, RunEndEncoded, Union ->
          throw unsupported(path, "Lance has no such type", type);
      default -> {}
    }
    for (Field child : field.getChildren()) {
      if (StoredSchema.isBlobV2(child)) {
        throw unsupported(path, "blobs are read at top level only", type);
      }
      checkType(child, path + "." + child.getName(), format);
    }
  }

  /**
   * The native writer ends the process for elements of variable width and for lists of no elements;
   * of structs some readers make lists of differing lengths; maps it refuses.
   */
  private static void checkFixedSizeList(Field field, String path) {
    ArrowType.FixedSizeList type = (ArrowType.FixedSizeList) field.getType();
    if (type.getListSize() < 1) {
      throw unsupported(path, "a fixed-size list has at least one element", type);
    }
    switch (field.getChildren().getFirst().getType().getTypeID()) {
      case Int,
          FloatingPoint,
          Bool,
          Decimal,
          Date,
          Time,
          Timestamp,
          Duration,
          FixedSizeBinary,
          FixedSizeList,
          Null -> {}
      default -> throw unsupported(path, "fixed-size lists hold values of fixed width only", type);
    }
  }

  /** Some types are read by conversion but not written. */
  private static void checkWritableType(Field field, String path) {
    ArrowType type = field.getType();
    if (StoredSchema.isBlobV2(field)) {
      throw unsupported(
          path, "blobs of the second kind lose nulls; store large binary values", type);
    }
    if (field.getDictionary() != null) {
      throw unsupported(path, "dictionary-encoded columns are read only", type);
    }
    if (type instanceof ArrowType.Decimal decimal && decimal.getBitWidth() != 128
        || type instanceof ArrowType.Date date && date.getUnit() != DateUnit.DAY) {
      throw unsupported(path, "only decimals of 128 bits and dates in days are written", type);
    }
    for (Field child : field.getChildren()) {
      if (type instanceof ArrowType.FixedSizeList
          && child.getMetadata().containsKey(ArrowType.ExtensionType.EXTENSION_METADATA_KEY_NAME)) {
        throw unsupported(path, "the element type of a fixed-size list would be forgotten", type);
      }
      if (child.getType() instanceof ArrowType.Null) {
        throw unsupported(path, "columns that are only null are written at top level only", type);
      }
      checkWritableType(child, path + "." + child.getName());
    }
  }

  private static MillraceException unsupported(String path, String reason, ArrowType type) {
    return new MillraceException(
        ErrorCode.UNSUPPORTED_TYPE,
        "This column's type cannot be used with a Lance table: "
            + reason
            + ". Column '"
            + path
            + "' of type "
            + type);
  }
}
