package io.millrace.lance.write;

import io.millrace.core.batch.Batch;
import io.millrace.core.batch.Bits;
import io.millrace.core.batch.FlatVector;
import io.millrace.core.batch.Layouts;
import io.millrace.core.batch.PhysicalLayout;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.type.ArrowTypes;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * Flat columns as an Arrow record batch of a given schema. Values are shared, not copied; only
 * offsets are written anew where the schema has 64-bit ones.
 */
final class BatchExport {
  private final BufferAllocator allocator;
  private final List<ArrowFieldNode> nodes = new ArrayList<>();
  private final List<ArrowBuf> buffers = new ArrayList<>();
  private final List<ArrowBuf> owned = new ArrayList<>();

  private BatchExport(BufferAllocator allocator) {
    this.allocator = allocator;
  }

  /**
   * @param batch flat, without a selection; stays owned by the caller
   * @param columnOfField for each field of the schema the batch's column, or −1 for nulls
   * @throws MillraceException SCHEMA_MISMATCH for a null in a column that takes none
   */
  static ArrowRecordBatch export(
      Batch batch, Schema schema, int[] columnOfField, BufferAllocator allocator) {
    BatchExport export = new BatchExport(allocator);
    try {
      for (int index = 0; index < columnOfField.length; index++) {
        Field field = schema.getFields().get(index);
        if (columnOfField[index] < 0) {
          export.addNulls(field, batch.rowCount());
        } else {
          FlatVector column = (FlatVector) batch.column(columnOfField[index]);
          requireNullsFit(column, field);
          export.add(column, field);
        }
      }
      // The batch retains its buffers; what this owns is released below in any case.
      return new ArrowRecordBatch(batch.rowCount(), export.nodes, export.buffers);
    } finally {
      export.owned.forEach(buffer -> buffer.getReferenceManager().release());
    }
  }

  private static void requireNullsFit(FlatVector column, Field field) {
    if (!field.isNullable() && column.nullCount() > 0) {
      throw new MillraceException(
          ErrorCode.SCHEMA_MISMATCH,
          "A column of the table takes no nulls, but the rows have some: '"
              + field.getName()
              + "'");
    }
  }

  private void add(FlatVector column, Field field) {
    int length = column.length();
    PhysicalLayout.Kind kind = column.layout().kind();
    nodes.add(new ArrowFieldNode(length, column.nullCount()));
    if (kind == PhysicalLayout.Kind.EMPTY) {
      return;
    }
    addValidity(column);
    switch (kind) {
      case EMPTY -> {}
      case BITS -> buffers.add(part(column.valueBuffer(), Bits.byteCount(length)));
      case FIXED ->
          buffers.add(part(column.valueBuffer(), (long) length * column.layout().byteWidth()));
      case VARIABLE -> {
        addOffsets(column, field, 0);
        buffers.add(part(column.valueBuffer(), length == 0 ? 0 : column.endAt(length - 1)));
      }
      case LIST -> {
        // Elements before the first list are cut off: with them Lance fails on structs in lists
        // whose validity then starts within a byte.
        int first = length == 0 ? 0 : column.startAt(0);
        int end = length == 0 ? 0 : column.endAt(length - 1);
        addOffsets(column, field, first);
        addChild(column, 0, first, end - first, field);
      }
      case FIXED_LIST ->
          addChild(column, 0, 0, Math.multiplyExact(length, column.layout().listSize()), field);
      case STRUCT -> {
        for (int index = 0; index < column.children().size(); index++) {
          addChild(column, index, 0, length, field);
        }
      }
    }
  }

  private void addChild(FlatVector column, int index, int from, int rows, Field field) {
    // A slice keeps the parent's buffers alive until the record batch has retained its own.
    try (FlatVector child = column.child(index).slice(from, rows)) {
      add(child, field.getChildren().get(index));
      retainForNow(child);
    }
  }

  /** Buffers made by slicing a child end with it, unless they are held until the batch is built. */
  private void retainForNow(FlatVector child) {
    for (ArrowBuf buffer :
        new ArrowBuf[] {child.validityBuffer(), child.offsetBuffer(), child.valueBuffer()}) {
      if (buffer != null) {
        buffer.getReferenceManager().retain();
        owned.add(buffer);
      }
    }
  }

  private void addValidity(FlatVector column) {
    ArrowBuf bits = column.validityBuffer();
    buffers.add(bits == null ? allocator.getEmpty() : part(bits, Bits.byteCount(column.length())));
  }

  /**
   * Offsets less {@code base}; shared when they are as wanted. Without rows the only offset is
   * zero, also where a slice's is not: beyond the values, which are left out then, it ends the
   * process.
   */
  private void addOffsets(FlatVector column, Field field, int base) {
    int length = column.length();
    MemorySegment source = column.offsets();
    boolean large = hasLargeOffsets(field.getType());
    if (!large && base == 0 && length > 0) {
      buffers.add(part(column.offsetBuffer(), 4L * length + 4));
      return;
    }
    ArrowBuf offsets = zeros((large ? 8L : 4L) * (length + 1L));
    if (length > 0) {
      for (int row = 0; row <= length; row++) {
        int value = source.get(Layouts.INT32, 4L * row) - base;
        if (large) {
          offsets.setLong(8L * row, value);
        } else {
          offsets.setInt(4L * row, value);
        }
      }
    }
    buffers.add(offsets);
  }

  private static boolean hasLargeOffsets(ArrowType type) {
    return type instanceof ArrowType.LargeBinary
        || type instanceof ArrowType.LargeUtf8
        || type instanceof ArrowType.LargeList;
  }

  /** A column that the rows do not have. */
  private void addNulls(Field field, int rows) {
    if (!field.isNullable()) {
      throw new MillraceException(
          ErrorCode.SCHEMA_MISMATCH,
          "The rows lack a column of the table that takes no nulls: '" + field.getName() + "'");
    }
    try (FlatVector nulls =
        FlatVector.ofNulls(ArrowTypes.fromArrow(field).type(), rows, allocator)) {
      add(nulls, field);
      retainForNow(nulls);
    }
  }

  private ArrowBuf zeros(long bytes) {
    ArrowBuf buffer = allocator.buffer(bytes);
    owned.add(buffer);
    buffer.setZero(0, bytes);
    buffer.writerIndex(bytes);
    return buffer;
  }

  /**
   * The first bytes of a buffer, sharing it; Arrow takes a buffer's length from its writer index.
   */
  private ArrowBuf part(ArrowBuf buffer, long bytes) {
    return buffer == null || bytes == 0 ? allocator.getEmpty() : buffer.slice(0, bytes);
  }
}
