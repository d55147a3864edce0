package io.millrace.exec.format.parquet.read;

import io.millrace.core.batch.Batch;
import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.ConstantVector;
import io.millrace.core.batch.FlatVector;
import io.millrace.core.batch.Gather;
import io.millrace.core.batch.RowOrigin;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.spi.RuntimeFilter;
import io.millrace.core.type.DataType;
import io.millrace.core.type.StorageTypes;
import io.millrace.exec.expression.CompiledPredicate;
import io.millrace.exec.format.parquet.encoding.PageBuffers;
import java.io.IOException;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;

/**
 * Decodes one row group, batch by batch: the columns of the filter first, the others only where a
 * row survives. Not thread-safe.
 */
public final class RowGroupReader implements AutoCloseable {
  /** When at most one row in so many survives, only the survivors are decoded. */
  private static final int SPARSE_FACTOR = 4;

  private final ReadPlan plan;
  private final CompiledPredicate filter;
  private final List<RuntimeFilter> restrictions;
  private final RowGroupBytes bytes;
  private final String path;
  private final int batchRows;
  private final BufferAllocator allocator;
  private final Map<LeafColumn, ColumnChunkReader> readers = new IdentityHashMap<>();

  /** Whether all columns can be decoded for single rows: no list is among them. */
  private final boolean readsFew;

  private long nextRow;

  /**
   * @param filter compiled from the plan's; null when it has none. Stays the caller's
   * @param restrictions conditions on output columns that are tested after the filter
   * @param bytes closed by this reader
   * @param buffers gives room for decompressed pages
   * @param path for error messages
   * @param maximumRows most rows of a batch
   * @param maximumBytes about the most bytes of a batch
   */
  public RowGroupReader(
      ReadPlan plan,
      CompiledPredicate filter,
      List<RuntimeFilter> restrictions,
      RowGroupBytes bytes,
      PageBuffers buffers,
      String path,
      int maximumRows,
      long maximumBytes,
      BufferAllocator allocator) {
    this.plan = plan;
    this.filter = filter;
    this.restrictions = List.copyOf(restrictions);
    this.bytes = bytes;
    this.path = path;
    this.allocator = allocator;
    long rowBytes = Math.max(1, bytes.plainByteCount() / Math.max(1, bytes.rowCount()));
    this.batchRows = (int) Math.max(1, Math.min(maximumRows, maximumBytes / rowBytes));
    bytes
        .chunks()
        .forEach(
            (leaf, chunk) ->
                readers.put(leaf, new ColumnChunkReader(leaf, chunk, buffers, allocator)));
    this.readsFew =
        bytes.chunks().keySet().stream().allMatch(leaf -> leaf.maximumRepetition() == 0)
            && plan.columns().stream().noneMatch(field -> field.type() instanceof DataType.Binary);
  }

  /**
   * The next rows that survive the filter, as a batch that the caller owns; null at the end.
   *
   * @throws MillraceException INVALID_FILE naming the file and column
   */
  public Batch next() {
    while (true) {
      int rows = (int) Math.min(batchRows, bytes.rowCount() - nextRow);
      if (rows <= 0) {
        return null;
      }
      nextRow += rows;
      Batch batch = batch(rows);
      if (batch != null) {
        return batch;
      }
    }
  }

  /** Null when no row survives. */
  private Batch batch(int rows) {
    ColumnVector[] columns = new ColumnVector[plan.columns().size()];
    try {
      int[] selection = null;
      int count = rows;
      if (filter != null) {
        selection = new int[rows];
        count = select(columns, rows, selection);
      }
      for (RuntimeFilter restriction : restrictions) {
        if (count > 0 && restriction.isUseful()) {
          int position = plan.outputs().get(restriction.column());
          int[] passing = selection == null ? new int[rows] : selection;
          ColumnVector values = column(columns, position, rows);
          count = restriction.select(values, selection, count, passing);
          selection = passing;
        }
      }
      if (count == 0) {
        skipOthers(columns, rows);
        return null;
      }
      // Without columns there is nothing that a selection could select from.
      if (plan.outputs().isEmpty()) {
        return new Batch(plan.outputSchema(), List.of(), count);
      }
      if (selection != null && isSparse(count, rows)) {
        return new Batch(plan.outputSchema(), few(columns, rows, selection, count), count);
      }
      Batch batch = new Batch(plan.outputSchema(), all(columns, rows), rows);
      return count == rows ? batch : batch.withSelection(selection, count);
    } finally {
      close(columns);
    }
  }

  private boolean isSparse(int count, int rows) {
    return readsFew && (long) count * SPARSE_FACTOR <= rows;
  }

  private static void close(ColumnVector[] columns) {
    for (ColumnVector column : columns) {
      if (column != null) {
        column.close();
      }
    }
  }

  /** The output columns with all rows. */
  private List<ColumnVector> all(ColumnVector[] columns, int rows) {
    List<ColumnVector> outputs = new ArrayList<>();
    try {
      for (int position : plan.outputs()) {
        outputs.add(column(columns, position, rows).retain());
      }
      List<ColumnVector> given = List.copyOf(outputs);
      outputs.clear();
      return given;
    } finally {
      outputs.forEach(ColumnVector::close);
    }
  }

  /** The output columns with the selected rows only: of the others nothing is decoded. */
  private List<ColumnVector> few(ColumnVector[] columns, int rows, int[] selection, int count) {
    ColumnVector[] kept = new ColumnVector[columns.length];
    try {
      List<ColumnVector> outputs = new ArrayList<>();
      for (int position : plan.outputs()) {
        if (kept[position] == null) {
          kept[position] =
              columns[position] == null
                  ? read(position, rows, selection, count)
                  : Gather.rows(columns[position], selection, count, allocator);
        }
      }
      for (int position : plan.outputs()) {
        outputs.add(kept[position].retain());
      }
      return outputs;
    } finally {
      close(kept);
    }
  }

  private int select(ColumnVector[] columns, int rows, int[] selection) {
    List<ColumnVector> inputs = new ArrayList<>();
    try {
      for (int position : plan.filterColumns()) {
        inputs.add(column(columns, position, rows).retain());
      }
      List<ColumnVector> given = List.copyOf(inputs);
      inputs.clear();
      try (Batch batch = new Batch(plan.filterSchema(), given, rows)) {
        return filter.select(batch, selection);
      }
    } finally {
      inputs.forEach(ColumnVector::close);
    }
  }

  private void skipOthers(ColumnVector[] columns, int rows) {
    for (int position = 0; position < columns.length; position++) {
      ParquetField field = bytes.fields().get(position);
      if (columns[position] == null && field != null) {
        leaves(field).forEach(leaf -> readers.get(leaf).skip(rows));
      }
    }
  }

  private static List<LeafColumn> leaves(ParquetField field) {
    List<LeafColumn> leaves = new ArrayList<>();
    if (field.leaf() != null) {
      leaves.add(field.leaf());
    }
    field.children().forEach(child -> leaves.addAll(leaves(child)));
    return leaves;
  }

  /** A column of the next rows, decoded on the first call. */
  private ColumnVector column(ColumnVector[] columns, int position, int rows) {
    if (columns[position] == null) {
      DataType type = plan.columns().get(position).type();
      columns[position] = read(position, rows, null, rows);
      if (type instanceof DataType.Binary) {
        long first = bytes.firstRow() + nextRow - rows;
        columns[position] = columns[position].withOrigin(RowOrigin.consecutive(path, first, rows));
      }
    }
    return columns[position];
  }

  /**
   * Decodes a column of the next rows.
   *
   * @param selected the rows that are wanted, of which the first {@code count} count; null for all
   */
  private ColumnVector read(int position, int rows, int[] selected, int count) {
    ParquetField field = bytes.fields().get(position);
    DataType type = plan.columns().get(position).type();
    return field == null
        ? ConstantVector.ofNull(type, count, allocator)
        : decoded(field, type, rows, selected, count);
  }

  private ColumnVector decoded(
      ParquetField field, DataType type, int rows, int[] selected, int count) {
    Map<LeafColumn, LeafEntries> entries = new IdentityHashMap<>();
    try {
      for (LeafColumn leaf : leaves(field)) {
        entries.put(leaf, readers.get(leaf).read(rows, selected, count));
      }
      boolean coded =
          StorageTypes.of(type) instanceof DataType.Text
              || StorageTypes.of(type) instanceof DataType.Binary
              || field.field().type().equals(type);
      ColumnVector column = new ColumnAssembler(entries, allocator).column(field, coded);
      return column instanceof FlatVector flat && !flat.type().equals(type)
          ? TypeRestoration.apply(flat, type, allocator)
          : column;
    } catch (MillraceException problem) {
      throw new MillraceException(
          problem.code(),
          problem.getMessage() + " Column '" + field.field().name() + "' of '" + path + "'",
          problem);
    } catch (OutOfMemoryException memory) {
      throw memory;
    } catch (IOException | RuntimeException problem) {
      // Decoders and libraries meet damaged data with many kinds of exception.
      throw new MillraceException(
          ErrorCode.INVALID_FILE,
          "The file is damaged: column '"
              + field.field().name()
              + "' of '"
              + path
              + "': "
              + problem.getMessage(),
          problem);
    } finally {
      entries.values().forEach(LeafEntries::close);
    }
  }

  /** Bytes of the arrays that it holds. */
  public long heldBytes() {
    long held = bytes.heldBytes();
    for (ColumnChunkReader reader : readers.values()) {
      held += reader.heldBytes();
    }
    return held;
  }

  @Override
  public void close() {
    readers.values().forEach(ColumnChunkReader::close);
    bytes.close();
  }
}
