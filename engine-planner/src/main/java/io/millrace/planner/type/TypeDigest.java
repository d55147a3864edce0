package io.millrace.planner.type;

import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A text of a type that differs whenever the type does: unlike its SQL spelling it names list
 * elements and says which members may not be null.
 */
final class TypeDigest {
  private TypeDigest() {}

  static String of(DataType type) {
    return switch (type) {
      case DataType.ListOf(Field element) -> "list<" + of(element) + ">";
      case DataType.FixedList(Field element, int length) ->
          "list<" + of(element) + ", " + length + ">";
      case DataType.Struct(List<Field> fields) ->
          fields.stream().map(TypeDigest::of).collect(Collectors.joining(", ", "struct<", ">"));
      case DataType.MapOf(Field key, Field value) -> "map<" + of(key) + ", " + of(value) + ">";
      case DataType.Tensor tensor ->
          tensor.dimensions().isEmpty()
              ? tensor.toString()
              : tensor + "[" + tensor.dimensions().getAsInt() + "]";
      case DataType.Reference reference ->
          "reference("
              + reference.sourceId()
              + ", '"
              + reference.column()
              + "', "
              + of(reference.target())
              + ")";
      default -> type.toString();
    };
  }

  private static String of(Field field) {
    return "'" + field.name() + "' " + of(field.type()) + (field.nullable() ? "" : " not null");
  }
}
