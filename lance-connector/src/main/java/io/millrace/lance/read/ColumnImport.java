package io.millrace.lance.read;

import io.millrace.core.batch.ArrowBatches;
import io.millrace.core.batch.Batch;
import io.millrace.core.batch.ColumnVector;
import io.millrace.core.type.DataType;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.types.pojo.Field;

/** Arrow vectors as columns, sharing their memory where the layouts are the same. */
final class ColumnImport {
  private ColumnImport() {}

  /**
   * @param type the column's type, of the vector's layout once it is decoded
   * @param dictionaries those that an encoded vector refers to
   * @return owned by the caller; the vector stays its owner's
   */
  static ColumnVector of(
      FieldVector vector,
      DataType type,
      DictionaryProvider dictionaries,
      BufferAllocator allocator) {
    if (!isEncoded(vector.getField())) {
      return ArrowBatches.fromVector(vector, type, allocator);
    }
    // Never closed: it would close the vector, which is not its own.
    VectorSchemaRoot alone = new VectorSchemaRoot(List.of(vector));
    Batch batch = ArrowBatches.fromArrow(alone, dictionaries, allocator);
    return batch.takeColumns().getFirst();
  }

  private static boolean isEncoded(Field field) {
    return field.getDictionary() != null
        || field.getChildren().stream().anyMatch(ColumnImport::isEncoded);
  }
}
