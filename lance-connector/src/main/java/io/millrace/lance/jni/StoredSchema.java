package io.millrace.lance.jni;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.lance.Dataset;
import org.lance.ipc.LanceScanner;
import org.lance.ipc.ScanOptions;

/**
 * A table's columns in two views.
 *
 * @param stored as files hold them: dictionary encoding on the field, blobs of the second kind as
 *     structs
 * @param values as readers get them: the dictionary's value type, all blobs as large binary
 */
record StoredSchema(Schema stored, Schema values) {
  static final String BLOB_KEY = "lance-encoding:blob";
  private static final String BLOB_V2 = "lance.blob.v2";

  /** Members of the second kind of blob as the Python package writes it. */
  private static final int BLOB_V2_MEMBERS = 4;

  static StoredSchema of(Dataset dataset, BufferAllocator allocator) throws Exception {
    Schema stored = dataset.getSchema();
    Map<String, Field> encoded = new HashMap<>();
    Map<String, Field> decoded = new HashMap<>();
    if (hasDictionaries(dataset)) {
      readDictionaries(dataset, allocator, encoded, decoded);
    }
    List<Field> storedFields =
        stored.getFields().stream()
            .map(field -> encoded.getOrDefault(field.getName(), field))
            .toList();
    List<Field> valueFields =
        storedFields.stream()
            .map(field -> value(decoded.getOrDefault(field.getName(), field)))
            .toList();
    Map<String, String> metadata = stored.getCustomMetadata();
    return new StoredSchema(new Schema(storedFields, metadata), new Schema(valueFields, metadata));
  }

  /**
   * The binding's schema shows a dictionary column as a plain integer one, its codes; that there is
   * one shows only in the library's own schema failing to convert.
   */
  private static boolean hasDictionaries(Dataset dataset) {
    try {
      return dataset.getLanceSchema().fields().stream()
          .anyMatch(field -> field.getDictionaryEncoding().isPresent());
    } catch (IllegalArgumentException unconvertible) {
      return true;
    }
  }

  /** Only the stream of a scan tells what a dictionary holds; nothing is read from it. */
  private static void readDictionaries(
      Dataset dataset,
      BufferAllocator allocator,
      Map<String, Field> encoded,
      Map<String, Field> decoded)
      throws Exception {
    try (LanceScanner scanner =
            LanceScanner.create(dataset, new ScanOptions.Builder().limit(1).build(), allocator);
        ArrowReader reader = scanner.scanBatches()) {
      for (Field field : reader.getVectorSchemaRoot().getSchema().getFields()) {
        Field plain = decode(field, reader);
        if (!plain.equals(field)) {
          encoded.put(field.getName(), field);
          decoded.put(field.getName(), plain);
        }
      }
    }
  }

  private static Field decode(Field field, DictionaryProvider dictionaries) {
    ArrowType type = field.getType();
    List<Field> children = field.getChildren();
    if (field.getDictionary() != null) {
      Field values = dictionaries.lookup(field.getDictionary().getId()).getVector().getField();
      type = values.getType();
      children = values.getChildren();
    }
    return new Field(
        field.getName(),
        new FieldType(field.isNullable(), type, null, field.getMetadata()),
        children.stream().map(child -> decode(child, dictionaries)).toList());
  }

  private static Field value(Field field) {
    return isBlobV2(field)
        ? new Field(
            field.getName(),
            new FieldType(
                field.isNullable(), ArrowType.LargeBinary.INSTANCE, null, Map.of(BLOB_KEY, "true")),
            null)
        : field;
  }

  static boolean isBlobV2(Field field) {
    return BLOB_V2.equals(
        field.getMetadata().get(ArrowType.ExtensionType.EXTENSION_METADATA_KEY_NAME));
  }

  /** Whether this field or one below it is dictionary-encoded. */
  static boolean isEncoded(Field field) {
    return field.getDictionary() != null
        || field.getChildren().stream().anyMatch(StoredSchema::isEncoded);
  }

  /** Any predicate on a table with a blob of the second kind in its short form ends the process. */
  boolean standsFilters() {
    return stored.getFields().stream()
        .noneMatch(field -> isBlobV2(field) && field.getChildren().size() != BLOB_V2_MEMBERS);
  }
}
