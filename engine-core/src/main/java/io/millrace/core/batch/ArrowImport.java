package io.millrace.core.batch;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.type.ArrowTypes;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.StorageTypes;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BaseIntVector;
import org.apache.arrow.vector.BaseLargeVariableWidthVector;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.BaseVariableWidthViewVector;
import org.apache.arrow.vector.ExtensionTypeVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.NullVector;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.complex.LargeListVector;
import org.apache.arrow.vector.complex.ListVector;
import org.apache.arrow.vector.complex.RunEndEncodedVector;
import org.apache.arrow.vector.complex.StructVector;
import org.apache.arrow.vector.dictionary.Dictionary;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.FieldType;

/** Reads Arrow vectors as columns; buffers of our layout are shared, others converted. */
final class ArrowImport {
  private final DictionaryProvider dictionaries;
  private final BufferAllocator allocator;

  ArrowImport(DictionaryProvider dictionaries, BufferAllocator allocator) {
    this.dictionaries = dictionaries;
    this.allocator = allocator;
  }

  /** The field of values: an encoded field has the type of its dictionary's values. */
  Field field(org.apache.arrow.vector.types.pojo.Field arrow) {
    return ArrowTypes.fromArrow(decoded(arrow));
  }

  private org.apache.arrow.vector.types.pojo.Field decoded(
      org.apache.arrow.vector.types.pojo.Field arrow) {
    ArrowType type = arrow.getType();
    List<org.apache.arrow.vector.types.pojo.Field> children = arrow.getChildren();
    if (arrow.getDictionary() != null) {
      org.apache.arrow.vector.types.pojo.Field values = dictionary(arrow).getVector().getField();
      type = values.getType();
      children = values.getChildren();
    }
    return new org.apache.arrow.vector.types.pojo.Field(
        arrow.getName(),
        new FieldType(arrow.isNullable(), type, null, arrow.getMetadata()),
        children.stream().map(this::decoded).toList());
  }

  private Dictionary dictionary(org.apache.arrow.vector.types.pojo.Field arrow) {
    Dictionary found = dictionaries.lookup(arrow.getDictionary().getId());
    if (found == null) {
      throw new MillraceException(
          ErrorCode.INVALID_FILE,
          "An Arrow column refers to a dictionary that is not there: '" + arrow.getName() + "'");
    }
    return found;
  }

  /** A column of the given type, whose storage is that of the vector's decoded field. */
  ColumnVector column(FieldVector vector, DataType type) {
    if (vector.getField().getDictionary() == null) {
      return flat(vector, type);
    }
    FlatVector codes = codes(vector);
    try {
      FieldVector values = dictionary(vector.getField()).getVector();
      return DictionaryVector.of(codes, decodedFlat(values, type), allocator);
    } catch (RuntimeException | Error failure) {
      codes.close();
      throw failure;
    }
  }

  private FlatVector decodedFlat(FieldVector vector, DataType type) {
    if (vector.getField().getDictionary() == null) {
      return flat(vector, type);
    }
    try (ColumnVector coded = column(vector, type)) {
      return coded.flatten(allocator);
    }
  }

  private FlatVector codes(FieldVector vector) {
    if (vector instanceof IntVector) {
      return flat(vector, DataType.INT32);
    }
    BaseIntVector indexes = (BaseIntVector) vector;
    try (VectorBuilder codes = new VectorBuilder(DataType.INT32, allocator)) {
      for (int row = 0; row < vector.getValueCount(); row++) {
        if (vector.isNull(row)) {
          codes.appendNull();
        } else {
          codes.appendLong(indexes.getValueAsLong(row));
        }
      }
      return codes.finish();
    }
  }

  private FlatVector flat(FieldVector vector, DataType type) {
    int length = vector.getValueCount();
    return switch (vector) {
      case ExtensionTypeVector<?> extension ->
          flat((FieldVector) extension.getUnderlyingVector(), type);
      case NullVector nulls -> new FlatVector(type, length, length, null, null, null, List.of());
      case BaseFixedWidthVector fixed ->
          ArrowConversions.isNeeded(fixed)
              ? ArrowConversions.convert(fixed, type, allocator)
              : assemble(vector, type, null, share(fixed.getDataBuffer()), List.of());
      case BaseVariableWidthVector text ->
          assemble(
              vector,
              type,
              offsets(text.getOffsetBuffer(), length),
              share(text.getDataBuffer()),
              List.of());
      case BaseLargeVariableWidthVector text ->
          assemble(
              vector,
              type,
              ArrowConversions.narrowOffsets(text.getOffsetBuffer(), length, allocator),
              share(text.getDataBuffer()),
              List.of());
      case BaseVariableWidthViewVector views -> ArrowConversions.copyViews(views, type, allocator);
      case ListVector list ->
          assemble(
              vector,
              type,
              offsets(list.getOffsetBuffer(), length),
              null,
              List.of(list.getDataVector()));
      case LargeListVector list ->
          assemble(
              vector,
              type,
              ArrowConversions.narrowOffsets(list.getOffsetBuffer(), length, allocator),
              null,
              List.of(list.getDataVector()));
      case FixedSizeListVector list ->
          assemble(vector, type, null, null, List.of(list.getDataVector()));
      case StructVector struct ->
          assemble(vector, type, null, null, struct.getChildrenFromFields());
      case RunEndEncodedVector runs -> expand(runs, type);
      default ->
          throw new MillraceException(
              ErrorCode.UNSUPPORTED_TYPE,
              "This Arrow layout is not supported: column '"
                  + vector.getField().getName()
                  + "', "
                  + vector.getField().getType());
    };
  }

  /** Takes ownership of offsets and values. */
  private FlatVector assemble(
      FieldVector vector,
      DataType type,
      ArrowBuf offsets,
      ArrowBuf values,
      List<FieldVector> members) {
    List<FlatVector> children = new ArrayList<>(members.size());
    try {
      List<DataType> childTypes = StorageTypes.childTypes(type);
      for (int index = 0; index < members.size(); index++) {
        children.add(decodedFlat(members.get(index), childTypes.get(index)));
      }
    } catch (RuntimeException | Error failure) {
      children.forEach(FlatVector::close);
      release(offsets);
      release(values);
      throw failure;
    }
    int nullCount = vector.getNullCount();
    ArrowBuf validity = nullCount == 0 ? null : share(vector.getValidityBuffer());
    return new FlatVector(
        type, vector.getValueCount(), nullCount, validity, offsets, values, children);
  }

  private ArrowBuf share(ArrowBuf buffer) {
    return Transfer.retain(buffer, allocator);
  }

  /** Arrow lets a vector without rows have no offsets. */
  private ArrowBuf offsets(ArrowBuf buffer, int length) {
    return length == 0 ? IpcParts.zeroOffset(allocator) : share(buffer);
  }

  private static void release(ArrowBuf buffer) {
    if (buffer != null) {
      buffer.close();
    }
  }

  private FlatVector expand(RunEndEncodedVector runs, DataType type) {
    int[] rows = new int[runs.getValueCount()];
    int row = 0;
    for (int run = 0; row < rows.length; run++) {
      int end = Math.min(rows.length, runs.getRunEnd(row));
      while (row < end) {
        rows[row++] = run;
      }
    }
    try (FlatVector values = decodedFlat(runs.getValuesVector(), type)) {
      return Gather.flat(values, rows, rows.length, allocator);
    }
  }
}
