package io.millrace.exec.format.parquet.read;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import io.millrace.exec.format.parquet.read.ParquetField.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.parquet.format.ConvertedType;
import org.apache.parquet.format.FieldRepetitionType;
import org.apache.parquet.format.SchemaElement;

/** A file's columns. Source of the list and map shapes: the specification's LogicalTypes.md. */
public final class ParquetSchema {
  private static final int DEPTH_LIMIT = 100;

  private final List<SchemaElement> elements;
  private final Map<String, Field> writerFields;
  private final List<ParquetField> fields = new ArrayList<>();
  private int next;
  private final List<LeafColumn> leaves = new ArrayList<>();

  /**
   * @param elements the flattened tree of the footer, root first
   * @param writerFields columns as the writer saw them, by name, as far as it says
   * @throws MillraceException INVALID_FILE when it is no tree, UNSUPPORTED_TYPE
   */
  ParquetSchema(List<SchemaElement> elements, Map<String, Field> writerFields) {
    this.elements = elements;
    this.writerFields = writerFields;
    if (elements.isEmpty()) {
      throw damaged();
    }
    int children = take().num_children;
    for (int index = 0; index < children; index++) {
      fields.add(field(0, 0, 0));
    }
    if (next != elements.size()) {
      throw damaged();
    }
  }

  /** The top-level columns. */
  List<ParquetField> fields() {
    return fields;
  }

  /** The top-level column of a name; null when there is none. */
  ParquetField find(String name) {
    for (ParquetField field : fields) {
      if (field.field().name().equals(name)) {
        return field;
      }
    }
    return null;
  }

  /** Whether a column may be null, or is not there. */
  public boolean isNullable(String column) {
    ParquetField field = find(column);
    return field == null || field.field().nullable();
  }

  /** The physical columns in the order of a row group's column chunks. */
  List<LeafColumn> leaves() {
    return leaves;
  }

  /** The columns as the engine sees them. */
  public Schema schema() {
    return new Schema(fields.stream().map(this::restored).toList());
  }

  /**
   * A column under the type that its writer had in mind.
   *
   * @param field a top-level column
   */
  Field restored(ParquetField field) {
    Field stored = field.field();
    Field wanted = writerFields.get(stored.name());
    return wanted != null && TypeRestoration.isPossible(stored.type(), wanted.type())
        ? new Field(stored.name(), wanted.type(), stored.nullable(), wanted.metadata())
        : stored;
  }

  private static MillraceException damaged() {
    return new MillraceException(ErrorCode.INVALID_FILE, "The file's schema is damaged.");
  }

  private SchemaElement take() {
    if (next >= elements.size()) {
      throw damaged();
    }
    return elements.get(next++);
  }

  /** The next field, below the given levels. */
  private ParquetField field(int definition, int repetition, int depth) {
    if (depth > DEPTH_LIMIT) {
      throw damaged();
    }
    SchemaElement element = take();
    if (element.repetition_type == FieldRepetitionType.REPEATED) {
      // Without an annotation a repeated field is a list that is never null.
      ParquetField item = body(element, definition + 1, repetition + 1, false, depth);
      return list(element.name, item, definition, repetition, false);
    }
    boolean nullable = element.repetition_type == FieldRepetitionType.OPTIONAL;
    return body(element, definition + (nullable ? 1 : 0), repetition, nullable, depth);
  }

  private static ParquetField list(
      String name, ParquetField item, int definition, int repetition, boolean nullable) {
    Field field = new Field(name, new DataType.ListOf(item.field()), nullable, Map.of());
    return new ParquetField(field, Shape.LIST, definition, repetition, List.of(item), null);
  }

  private ParquetField body(
      SchemaElement element, int definition, int repetition, boolean nullable, int depth) {
    if (!element.isSetNum_children() || element.num_children == 0 && element.isSetType()) {
      return leaf(element, definition, repetition, nullable);
    }
    if (isList(element)) {
      return annotatedList(element, definition, repetition, nullable, depth);
    }
    if (isMap(element)) {
      return annotatedMap(element, definition, repetition, nullable, depth);
    }
    List<ParquetField> members = new ArrayList<>();
    for (int index = 0; index < element.num_children; index++) {
      members.add(field(definition, repetition, depth + 1));
    }
    if (members.isEmpty()) {
      throw new MillraceException(
          ErrorCode.UNSUPPORTED_TYPE,
          "A group without members cannot be read; leave the column out: " + element.name);
    }
    DataType type = new DataType.Struct(members.stream().map(ParquetField::field).toList());
    Field field = new Field(element.name, type, nullable, Map.of());
    return new ParquetField(field, Shape.STRUCT, definition, repetition, members, null);
  }

  private ParquetField leaf(
      SchemaElement element, int definition, int repetition, boolean nullable) {
    if (!element.isSetType()) {
      throw damaged();
    }
    LeafConversion conversion = LeafConversion.of(element);
    LeafColumn leaf = new LeafColumn(leaves.size(), element, definition, repetition, conversion);
    leaves.add(leaf);
    Field field = new Field(element.name, conversion.type(), nullable, Map.of());
    return new ParquetField(field, Shape.LEAF, definition, repetition, List.of(), leaf);
  }

  private static boolean isList(SchemaElement element) {
    return element.num_children == 1
        && (element.isSetLogicalType()
            ? element.logicalType.isSetLIST()
            : element.isSetConverted_type() && element.converted_type == ConvertedType.LIST);
  }

  private static boolean isMap(SchemaElement element) {
    return element.num_children == 1
        && (element.isSetLogicalType()
            ? element.logicalType.isSetMAP()
            : element.isSetConverted_type()
                && (element.converted_type == ConvertedType.MAP
                    || element.converted_type == ConvertedType.MAP_KEY_VALUE));
  }

  private ParquetField annotatedList(
      SchemaElement element, int definition, int repetition, boolean nullable, int depth) {
    SchemaElement repeated = take();
    if (repeated.repetition_type != FieldRepetitionType.REPEATED) {
      throw damaged();
    }
    ParquetField item;
    if (isElementItself(element, repeated)) {
      item = body(repeated, definition + 1, repetition + 1, false, depth + 1);
    } else {
      item = field(definition + 1, repetition + 1, depth + 1);
    }
    return list(element.name, item, definition, repetition, nullable);
  }

  /** The old two-level form: the repeated field is the element, not a wrapper around it. */
  private static boolean isElementItself(SchemaElement list, SchemaElement repeated) {
    return !repeated.isSetNum_children()
        || repeated.num_children != 1
        || repeated.name.equals("array")
        || repeated.name.equals(list.name + "_tuple");
  }

  private ParquetField annotatedMap(
      SchemaElement element, int definition, int repetition, boolean nullable, int depth) {
    SchemaElement repeated = take();
    if (repeated.repetition_type != FieldRepetitionType.REPEATED || repeated.num_children != 2) {
      throw damaged();
    }
    ParquetField key = field(definition + 1, repetition + 1, depth + 1);
    ParquetField value = field(definition + 1, repetition + 1, depth + 1);
    DataType type =
        new DataType.MapOf(key.field().withName("key").withNullable(false), value.field());
    Field field = new Field(element.name, type, nullable, Map.of());
    return new ParquetField(field, Shape.MAP, definition, repetition, List.of(key, value), null);
  }
}
