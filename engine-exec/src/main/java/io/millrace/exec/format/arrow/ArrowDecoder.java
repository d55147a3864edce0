package io.millrace.exec.format.arrow;

import io.millrace.core.batch.ArrowBatches;
import io.millrace.core.batch.Batch;
import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.FlatVector;
import io.millrace.core.spi.ScanSpecification;
import io.millrace.core.spi.ScanSpecification.ScanColumn;
import io.millrace.core.type.DataType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.Dictionary;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.types.pojo.Field;

/** Turns messages into batches. Not thread-safe. */
final class ArrowDecoder implements AutoCloseable {
  private final ScanSpecification specification;
  private final BufferAllocator allocator;
  private final MessageReader reader;

  ArrowDecoder(ScanSpecification specification, BufferAllocator allocator) {
    this.specification = specification;
    this.allocator = allocator;
    this.reader = new MessageReader(allocator);
  }

  /**
   * The rows of the record batch that ends these messages, which the caller owns.
   *
   * @throws IOException for what makes no sense
   */
  Batch decode(List<byte[]> given) throws IOException {
    reader.load(given);
    VectorSchemaRoot root = reader.getVectorSchemaRoot();
    for (FieldVector vector : root.getFieldVectors()) {
      if (vector.getValueCount() != root.getRowCount()) {
        throw new IOException("a column has another length than its record batch");
      }
    }
    List<Field> fields = new ArrayList<>();
    List<FieldVector> vectors = new ArrayList<>();
    for (ScanColumn column : specification.columns()) {
      int position = position(root, column.sourceColumn());
      if (position >= 0) {
        fields.add(root.getSchema().getFields().get(position));
        vectors.add(root.getVector(position));
      }
    }
    Map<Long, Dictionary> dictionaries = reader.getDictionaryVectors();
    DictionaryProvider.MapDictionaryProvider provider =
        new DictionaryProvider.MapDictionaryProvider(
            dictionaries.values().toArray(Dictionary[]::new));
    // The vectors stay the reader's.
    VectorSchemaRoot wanted =
        new VectorSchemaRoot(
            new org.apache.arrow.vector.types.pojo.Schema(fields), vectors, root.getRowCount());
    try (Batch found = ArrowBatches.fromArrow(wanted, provider, allocator)) {
      found.columns().forEach(VectorCheck::check);
      return arranged(found);
    }
  }

  private static int position(VectorSchemaRoot root, String name) {
    List<Field> fields = root.getSchema().getFields();
    for (int index = 0; index < fields.size(); index++) {
      if (fields.get(index).getName().equals(name)) {
        return index;
      }
    }
    return -1;
  }

  /** The output columns in their order; one that the file lacks is null. */
  private Batch arranged(Batch found) {
    List<ColumnVector> columns = new ArrayList<>();
    try {
      int next = 0;
      for (ScanColumn column : specification.columns()) {
        DataType type = column.output().type();
        boolean here =
            next < found.columnCount()
                && found.schema().field(next).name().equals(column.sourceColumn());
        columns.add(
            here
                ? found.column(next++).retain()
                : FlatVector.ofNulls(type, found.rowCount(), allocator));
      }
      List<ColumnVector> given = List.copyOf(columns);
      columns.clear();
      return new Batch(specification.outputSchema(), given, found.rowCount());
    } finally {
      columns.forEach(ColumnVector::close);
    }
  }

  @Override
  public void close() {
    try {
      reader.close();
    } catch (IOException | RuntimeException problem) {
      throw new IllegalStateException("An Arrow reader was not released", problem);
    }
  }
}
