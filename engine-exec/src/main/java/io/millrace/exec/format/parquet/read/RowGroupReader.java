package io.millrace.exec.format.parquet.read;

import io.millrace.core.batch.Batch;
import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.ConstantVector;
import io.millrace.core.batch.FlatVector;
import io.millrace.core.batch.RowOrigin;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.type.DataType;
import io.millrace.exec.expression.CompiledPredicate;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;

/**
 * Decodes one row group, batch by batch: the columns of the filter first, the others only where a
 * row survives. Not thread-safe.
 */
public final class RowGroupReader implements AutoCloseable {
  private final ReadPlan plan;
  private final CompiledPredicate filter;
  private final RowGroupBytes bytes;
  private final String path;
  private final int batchRows;
  private final BufferAllocator allocator;
  private final Map<LeafColumn, ColumnChunkReader> readers = new LinkedHashMap<>();
  private long nextRow;

  /**
   * @param filter compiled from the plan's; null when it has none. Stays the caller's
   * @param path for error messages
   * @param maximumRows most rows of a batch
   * @param maximumBytes about the most bytes of a batch
   */
  public RowGroupReader(
      ReadPlan plan,
      CompiledPredicate filter,
      RowGroupBytes bytes,
      String path,
      int maximumRows,
      long maximumBytes,
      BufferAllocator allocator) {
    this.plan = plan;
    this.filter = filter;
    this.bytes = bytes;
    this.path = path;
    this.allocator = allocator;
    long rowBytes = Math.max(1, bytes.plainByteCount() / Math.max(1, bytes.rowCount()));
    this.batchRows = (int) Math.max(1, Math.min(maximumRows, maximumBytes / rowBytes));
    bytes
        .chunks()
        .forEach(
            (leaf, chunk) ->
                readers.put(
                    leaf, new ColumnChunkReader(leaf, chunk.metadata(), chunk.bytes(), allocator)));
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
        if (count == 0) {
          skipOthers(columns, rows);
          return null;
        }
      }
      List<ColumnVector> outputs = new ArrayList<>();
      try {
        for (int position : plan.outputs()) {
          outputs.add(column(columns, position, rows).retain());
        }
        List<ColumnVector> given = List.copyOf(outputs);
        outputs.clear();
        // Without columns there is nothing that a selection could select from.
        if (given.isEmpty()) {
          return new Batch(plan.outputSchema(), given, count);
        }
        Batch batch = new Batch(plan.outputSchema(), given, rows);
        return count == rows ? batch : batch.withSelection(selection, count);
      } finally {
        outputs.forEach(ColumnVector::close);
      }
    } finally {
      for (ColumnVector column : columns) {
        if (column != null) {
          column.close();
        }
      }
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
      ParquetField field = bytes.fields().get(position);
      DataType type = plan.columns().get(position).type();
      columns[position] =
          field == null ? ConstantVector.ofNull(type, rows, allocator) : decoded(field, type, rows);
      if (type instanceof DataType.Binary) {
        long first = bytes.firstRow() + nextRow - rows;
        columns[position] = columns[position].withOrigin(RowOrigin.consecutive(path, first, rows));
      }
    }
    return columns[position];
  }

  private ColumnVector decoded(ParquetField field, DataType type, int rows) {
    Map<LeafColumn, LeafEntries> entries = new LinkedHashMap<>();
    try {
      for (LeafColumn leaf : leaves(field)) {
        entries.put(leaf, readers.get(leaf).read(rows));
      }
      ColumnVector column = new ColumnAssembler(entries, allocator).column(field);
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

  @Override
  public void close() {
    readers.values().forEach(ColumnChunkReader::close);
  }
}
