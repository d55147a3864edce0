package io.millrace.exec.format.file;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import io.millrace.core.type.TypeCoercion;
import io.millrace.core.type.TypeParser;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One schema for files whose columns differ: columns meet by name, types widen to the least that
 * holds all, a column that a file lacks is null there.
 *
 * @param ownTypes one map a file: types that differ from the schema's; empty when none does
 */
record UnifiedSchema(Schema schema, List<Map<String, DataType>> ownTypes) {

  /** Whether all files have the schema's types. */
  boolean isUniform() {
    return ownTypes.stream().allMatch(Map::isEmpty);
  }

  /**
   * @param table columns of the first file
   * @param all whether columns that the first file lacks count
   * @throws MillraceException SCHEMA_MISMATCH naming two files whose types have none in common
   */
  static UnifiedSchema of(Schema table, List<PinnedFile> files, List<Schema> schemas, boolean all) {
    if (schemas.isEmpty()) {
      return new UnifiedSchema(table, List.of());
    }
    Map<String, Field> fields = new LinkedHashMap<>();
    Map<String, Integer> origins = new HashMap<>();
    table.fields().forEach(field -> fields.put(field.name(), field));
    for (int file = 0; file < files.size(); file++) {
      for (Field own : schemas.get(file).fields()) {
        Field known = fields.get(own.name());
        if (known == null) {
          if (all) {
            fields.put(own.name(), own.withNullable(true));
            origins.put(own.name(), file);
          }
        } else if (!known.type().equals(own.type())) {
          String first = files.get(origins.getOrDefault(own.name(), 0)).path();
          DataType common = common(known, own, first, files.get(file).path());
          fields.put(own.name(), known.withType(common));
          if (common.equals(own.type())) {
            origins.put(own.name(), file);
          }
        }
      }
    }
    Schema unified = new Schema(List.copyOf(fields.values()));
    List<Map<String, DataType>> ownTypes = new ArrayList<>();
    for (Schema own : schemas) {
      Map<String, DataType> types = new LinkedHashMap<>();
      for (Field field : own.fields()) {
        Field known = fields.get(field.name());
        if (known != null && !known.type().equals(field.type())) {
          types.put(field.name(), field.type());
        }
      }
      ownTypes.add(types);
    }
    return new UnifiedSchema(unified, ownTypes);
  }

  private static DataType common(Field known, Field own, String first, String second) {
    Optional<DataType> common =
        canTravel(known.type()) && canTravel(own.type())
            ? TypeCoercion.commonType(known.type(), own.type())
            : Optional.empty();
    return common.orElseThrow(
        () ->
            new MillraceException(
                ErrorCode.SCHEMA_MISMATCH,
                "A column has types in two files that no type holds: '"
                    + own.name()
                    + "' is "
                    + known.type()
                    + " in '"
                    + first
                    + "' and "
                    + own.type()
                    + " in '"
                    + second
                    + "'"));
  }

  /** Splits carry the types of files as text. */
  private static boolean canTravel(DataType type) {
    try {
      return TypeParser.parse(type.toString()).equals(type);
    } catch (MillraceException noText) {
      return false;
    }
  }
}
