package io.millrace.exec.format.parquet.read;

import io.millrace.core.batch.Batch;
import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.ConstantVector;
import io.millrace.core.batch.FlatVector;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.spi.ScanSpecification;
import io.millrace.core.type.DataType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;

/** Decodes one row group, batch by batch. Not thread-safe. */
public final class RowGroupReader implements AutoCloseable {
  private final ScanSpecification specification;
  private final RowGroupBytes bytes;
  private final String path;
  private final int batchRows;
  private final BufferAllocator allocator;
  private final Map<LeafColumn, ColumnChunkReader> readers = new LinkedHashMap<>();
  private long nextRow;

  /**
   * @param path for error messages
   * @param maximumRows most rows of a batch
   * @param maximumBytes about the most bytes of a batch
   */
  public RowGroupReader(
      ScanSpecification specification,
      RowGroupBytes bytes,
      String path,
      int maximumRows,
      long maximumBytes,
      BufferAllocator allocator) {
    this.specification = specification;
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
   * The next batch, which the caller owns; null at the end.
   *
   * @throws MillraceException INVALID_FILE naming the file and column
   */
  public Batch next() {
    int rows = (int) Math.min(batchRows, bytes.rowCount() - nextRow);
    if (rows <= 0) {
      return null;
    }
    Map<LeafColumn, LeafEntries> entries = new LinkedHashMap<>();
    List<ColumnVector> columns = new ArrayList<>();
    try {
      for (Map.Entry<LeafColumn, ColumnChunkReader> reader : readers.entrySet()) {
        entries.put(reader.getKey(), read(reader.getKey(), reader.getValue(), rows));
      }
      ColumnAssembler assembler = new ColumnAssembler(entries, allocator);
      for (int index = 0; index < bytes.fields().size(); index++) {
        columns.add(column(assembler, index, rows));
      }
      List<ColumnVector> given = List.copyOf(columns);
      columns.clear();
      nextRow += rows;
      return new Batch(specification.outputSchema(), given, rows);
    } finally {
      entries.values().forEach(LeafEntries::close);
      columns.forEach(ColumnVector::close);
    }
  }

  private ColumnVector column(ColumnAssembler assembler, int index, int rows) {
    ParquetField field = bytes.fields().get(index);
    DataType type = specification.columns().get(index).output().type();
    if (field == null) {
      return ConstantVector.ofNull(type, rows, allocator);
    }
    try {
      ColumnVector column = assembler.column(field);
      return column instanceof FlatVector flat && !flat.type().equals(type)
          ? TypeRestoration.apply(flat, type, allocator)
          : column;
    } catch (OutOfMemoryException memory) {
      throw memory;
    } catch (RuntimeException problem) {
      // Levels of several leaves that contradict each other.
      throw damaged(field.field().name(), problem);
    }
  }

  private LeafEntries read(LeafColumn leaf, ColumnChunkReader reader, int rows) {
    try {
      return reader.read(rows);
    } catch (MillraceException problem) {
      throw new MillraceException(
          problem.code(),
          problem.getMessage() + " Column '" + leaf.element().name + "' of '" + path + "'",
          problem);
    } catch (OutOfMemoryException memory) {
      throw memory;
    } catch (IOException | RuntimeException problem) {
      // Decoders and libraries meet damaged data with many kinds of exception.
      throw damaged(leaf.element().name, problem);
    }
  }

  private MillraceException damaged(String column, Exception problem) {
    return new MillraceException(
        ErrorCode.INVALID_FILE,
        "The file is damaged: column '" + column + "' of '" + path + "': " + problem.getMessage(),
        problem);
  }

  @Override
  public void close() {
    readers.values().forEach(ColumnChunkReader::close);
  }
}
