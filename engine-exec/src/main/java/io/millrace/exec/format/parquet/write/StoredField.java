package io.millrace.exec.format.parquet.write;

import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.StorageTypes;
import java.util.ArrayList;
import java.util.List;
import org.apache.parquet.format.ConvertedType;
import org.apache.parquet.format.FieldRepetitionType;
import org.apache.parquet.format.ListType;
import org.apache.parquet.format.LogicalType;
import org.apache.parquet.format.MapType;
import org.apache.parquet.format.SchemaElement;

/**
 * A column or a part of one as it is stored, with the levels of its values. Lists have the three
 * levels {@code name.list.element}, maps {@code name.key_value.{key, value}}.
 *
 * @param definition level of a value that is there and not null
 * @param repetition lists around it
 * @param children element of a list, key and value of a map, members of a struct
 * @param leaf index among the leaves; −1 for others
 */
record StoredField(
    Field field, int definition, int repetition, List<StoredField> children, int leaf) {

  /** One physical column. */
  record Leaf(
      List<String> path, DataType type, StoredLeaf stored, int definition, int repetition) {}

  /** The stored form of a schema. */
  static final class Builder {
    private final List<SchemaElement> elements = new ArrayList<>();
    private final List<Leaf> leaves = new ArrayList<>();
    private final List<StoredField> fields = new ArrayList<>();

    Builder(List<Field> columns) {
      SchemaElement root = new SchemaElement("schema");
      root.setNum_children(columns.size());
      elements.add(root);
      for (Field column : columns) {
        fields.add(part(column, column.name(), List.of(), 0, 0));
      }
    }

    /** The tree, flattened, as a footer has it. */
    List<SchemaElement> elements() {
      return elements;
    }

    List<Leaf> leaves() {
      return leaves;
    }

    List<StoredField> fields() {
      return fields;
    }

    private StoredField part(
        Field field, String name, List<String> parent, int definition, int repetition) {
      int own = definition + (field.nullable() ? 1 : 0);
      List<String> path = join(parent, name);
      FieldRepetitionType repetitionType =
          field.nullable() ? FieldRepetitionType.OPTIONAL : FieldRepetitionType.REQUIRED;
      DataType storage = StorageTypes.of(field.type());
      return switch (storage) {
        case DataType.Struct struct -> {
          if (struct.fields().isEmpty()) {
            throw StoredLeaf.unsupported(field.type());
          }
          group(name, repetitionType, struct.fields().size());
          List<StoredField> members = new ArrayList<>();
          for (Field member : struct.fields()) {
            members.add(part(member, member.name(), path, own, repetition));
          }
          yield new StoredField(field, own, repetition, members, -1);
        }
        case DataType.ListOf list ->
            list(field, name, repetitionType, list.element(), path, own, repetition);
        case DataType.FixedList list ->
            list(field, name, repetitionType, list.element(), path, own, repetition);
        case DataType.MapOf map -> {
          SchemaElement outer = group(name, repetitionType, 1);
          outer.setLogicalType(LogicalType.MAP(new MapType()));
          outer.setConverted_type(ConvertedType.MAP);
          group("key_value", FieldRepetitionType.REPEATED, 2);
          List<String> pair = join(path, "key_value");
          Field key = map.key().withNullable(false);
          yield new StoredField(
              field,
              own,
              repetition,
              List.of(
                  part(key, "key", pair, own + 1, repetition + 1),
                  part(map.value(), "value", pair, own + 1, repetition + 1)),
              -1);
        }
        default -> leaf(field, name, repetitionType, path, own, repetition);
      };
    }

    private StoredField list(
        Field field,
        String name,
        FieldRepetitionType repetitionType,
        Field element,
        List<String> path,
        int own,
        int repetition) {
      SchemaElement outer = group(name, repetitionType, 1);
      outer.setLogicalType(LogicalType.LIST(new ListType()));
      outer.setConverted_type(ConvertedType.LIST);
      group("list", FieldRepetitionType.REPEATED, 1);
      StoredField item = part(element, "element", join(path, "list"), own + 1, repetition + 1);
      return new StoredField(field, own, repetition, List.of(item), -1);
    }

    private StoredField leaf(
        Field field,
        String name,
        FieldRepetitionType repetitionType,
        List<String> path,
        int own,
        int repetition) {
      StoredLeaf stored = StoredLeaf.of(field.type());
      SchemaElement element = stored.element(field.type());
      element.setName(name);
      element.setRepetition_type(repetitionType);
      elements.add(element);
      leaves.add(new Leaf(path, field.type(), stored, own, repetition));
      return new StoredField(field, own, repetition, List.of(), leaves.size() - 1);
    }

    private SchemaElement group(String name, FieldRepetitionType repetition, int children) {
      SchemaElement element = new SchemaElement(name);
      element.setRepetition_type(repetition);
      element.setNum_children(children);
      elements.add(element);
      return element;
    }

    private static List<String> join(List<String> parent, String name) {
      List<String> path = new ArrayList<>(parent);
      path.add(name);
      return path;
    }
  }
}
