package io.millrace.core.batch;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.type.ArrowTypes;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import io.millrace.core.type.StorageTypes;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorLoader;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.Dictionary;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;

/**
 * Batches as Arrow's vectors and back, without copying where the layouts are the same. All
 * allocators must share one root.
 */
public final class ArrowBatches {
  /**
   * Arrow data with the dictionaries that its encoded columns refer to.
   *
   * @param root owned
   * @param dictionaries own their vectors
   */
  public record EncodedRoot(
      VectorSchemaRoot root, DictionaryProvider.MapDictionaryProvider dictionaries)
      implements AutoCloseable {
    @Override
    public void close() {
      root.close();
      dictionaries.close();
    }
  }

  private ArrowBatches() {}

  /**
   * The selected rows as plain Arrow vectors; dictionaries and constants are written out. Consumes
   * the batch.
   *
   * @return owned by the caller
   */
  public static VectorSchemaRoot toArrow(Batch batch, BufferAllocator allocator) {
    try (Batch flat = batch.flatten(allocator);
        IpcParts parts = new IpcParts(allocator)) {
      flat.columns().forEach(column -> parts.add((FlatVector) column));
      return load(ArrowTypes.toArrow(flat.schema()), flat.rowCount(), parts, allocator);
    }
  }

  /**
   * The selected rows as Arrow vectors; dictionary columns stay encoded, under ids from 1. Consumes
   * the batch.
   *
   * @return owned by the caller
   */
  public static EncodedRoot toArrowEncoded(Batch batch, BufferAllocator allocator) {
    DictionaryProvider.MapDictionaryProvider dictionaries =
        new DictionaryProvider.MapDictionaryProvider();
    List<org.apache.arrow.vector.types.pojo.Field> fields = new ArrayList<>();
    try (Batch compact = batch.compact(allocator);
        IpcParts parts = new IpcParts(allocator)) {
      for (int index = 0; index < compact.columnCount(); index++) {
        Field field = compact.schema().field(index);
        if (compact.column(index) instanceof DictionaryVector coded) {
          DictionaryEncoding encoding =
              new DictionaryEncoding(index + 1L, false, new ArrowType.Int(32, true));
          Field values = Field.required("dictionary " + encoding.getId(), field.type());
          dictionaries.put(
              new Dictionary(toVector(coded.dictionary(), values, allocator), encoding));
          fields.add(encodedField(field, encoding));
          parts.add(coded.codeVector());
        } else {
          fields.add(ArrowTypes.toArrow(field));
          try (FlatVector flat = compact.column(index).flatten(allocator)) {
            parts.add(flat);
          }
        }
      }
      return new EncodedRoot(
          load(
              new org.apache.arrow.vector.types.pojo.Schema(fields),
              compact.rowCount(),
              parts,
              allocator),
          dictionaries);
    } catch (RuntimeException | Error failure) {
      dictionaries.close();
      throw failure;
    }
  }

  private static org.apache.arrow.vector.types.pojo.Field encodedField(
      Field field, DictionaryEncoding encoding) {
    return new org.apache.arrow.vector.types.pojo.Field(
        field.name(),
        new org.apache.arrow.vector.types.pojo.FieldType(
            field.nullable(),
            encoding.getIndexType(),
            encoding,
            ArrowTypes.toArrow(field).getMetadata()),
        List.of());
  }

  /**
   * One column as a plain Arrow vector, with the extension metadata of its type on the field. The
   * column stays owned by the caller, the result is too.
   */
  public static FieldVector toVector(ColumnVector column, Field field, BufferAllocator allocator) {
    try (FlatVector flat = column.flatten(allocator);
        IpcParts parts = new IpcParts(allocator)) {
      parts.add(flat);
      return load(ArrowTypes.toArrow(Schema.of(field)), column.length(), parts, allocator)
          .getVector(0);
    }
  }

  private static VectorSchemaRoot load(
      org.apache.arrow.vector.types.pojo.Schema schema,
      int rowCount,
      IpcParts parts,
      BufferAllocator allocator) {
    VectorSchemaRoot root = VectorSchemaRoot.create(schema, allocator);
    try (ArrowRecordBatch record = new ArrowRecordBatch(rowCount, parts.nodes(), parts.buffers())) {
      new VectorLoader(root).load(record);
      return root;
    } catch (IllegalArgumentException wrapped) {
      root.close();
      // The loader hides an allocator's limit behind its own exception.
      throw wrapped.getCause() instanceof OutOfMemoryException limit ? limit : wrapped;
    } catch (RuntimeException | Error failure) {
      root.close();
      throw failure;
    }
  }

  /**
   * Arrow data without dictionaries as a batch that shares its memory; the root stays the caller's.
   *
   * @throws MillraceException UNSUPPORTED_TYPE for layouts that have no counterpart here
   */
  public static Batch fromArrow(VectorSchemaRoot root, BufferAllocator allocator) {
    return fromArrow(root, new DictionaryProvider.MapDictionaryProvider(), allocator);
  }

  /** The same; dictionary-encoded columns become dictionary vectors. */
  public static Batch fromArrow(
      VectorSchemaRoot root, DictionaryProvider dictionaries, BufferAllocator allocator) {
    ArrowImport source = new ArrowImport(dictionaries, allocator);
    List<Field> fields = new ArrayList<>();
    List<ColumnVector> columns = new ArrayList<>();
    try {
      for (int index = 0; index < root.getFieldVectors().size(); index++) {
        // The root's schema keeps the names of list elements, which vectors forget.
        Field field = source.field(root.getSchema().getFields().get(index));
        fields.add(field);
        columns.add(source.column(root.getVector(index), field.type()));
      }
      List<ColumnVector> given = List.copyOf(columns);
      columns.clear();
      return new Batch(new Schema(fields), given, root.getRowCount());
    } finally {
      columns.forEach(ColumnVector::close);
    }
  }

  /**
   * One Arrow vector as a column of the given type, which has the storage type of the vector; the
   * vector stays the caller's.
   *
   * @throws MillraceException TYPE_MISMATCH when the vector holds another type
   */
  public static ColumnVector fromVector(
      FieldVector vector, DataType type, BufferAllocator allocator) {
    ArrowImport source = new ArrowImport(new DictionaryProvider.MapDictionaryProvider(), allocator);
    DataType found = source.field(vector.getField()).type();
    if (!StorageTypes.sameShape(StorageTypes.of(found), StorageTypes.of(type))) {
      throw new MillraceException(
          ErrorCode.TYPE_MISMATCH,
          "An Arrow vector holds another type than its column: " + found + ", " + type);
    }
    return source.column(vector, type);
  }

  /** The schema of Arrow data whose encoded columns read as the type of their dictionary. */
  public static Schema schema(
      org.apache.arrow.vector.types.pojo.Schema schema, DictionaryProvider dictionaries) {
    ArrowImport source = new ArrowImport(dictionaries, null);
    return new Schema(schema.getFields().stream().map(source::field).toList());
  }
}
