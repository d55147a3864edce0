package io.millrace.exec.format.parquet.read;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.spi.ByteSource;
import io.millrace.core.type.Field;
import io.millrace.exec.format.parquet.encoding.PageBuffers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.RowGroup;

/**
 * The compressed bytes of the columns that a scan reads of one row group. Closing gives their
 * arrays back; nothing may read them afterwards.
 */
public final class RowGroupBytes implements AutoCloseable {
  /** Chunks this near to each other are read in one go. */
  private static final long GAP_LIMIT_BYTES = 64 << 10;

  private final long firstRow;
  private final long rowCount;
  private final List<ParquetField> fields;
  private final Map<LeafColumn, Chunk> chunks;
  private final long byteCount;
  private final List<byte[]> runs;
  private final PageBuffers buffers;
  private boolean closed;

  /**
   * One column's bytes.
   *
   * @param bytes hold other things too
   */
  record Chunk(ColumnMetaData metadata, byte[] bytes, int from, int to) {}

  /** Where a chunk lies. */
  private record Place(LeafColumn leaf, ColumnMetaData metadata, long start, int length) {
    long end() {
      return start + length;
    }
  }

  private RowGroupBytes(
      long firstRow,
      long rowCount,
      List<ParquetField> fields,
      Map<LeafColumn, Chunk> chunks,
      long byteCount,
      List<byte[]> runs,
      PageBuffers buffers) {
    this.firstRow = firstRow;
    this.rowCount = rowCount;
    this.fields = fields;
    this.chunks = chunks;
    this.byteCount = byteCount;
    this.runs = runs;
    this.buffers = buffers;
  }

  /**
   * Reads what the scan needs; blocks.
   *
   * @param path for error messages
   * @param buffers gives the arrays
   * @throws MillraceException SCHEMA_MISMATCH when this file's columns differ from the table's,
   *     INVALID_FILE
   */
  public static RowGroupBytes read(
      ParquetFooter footer,
      int group,
      ReadPlan plan,
      ByteSource source,
      String path,
      PageBuffers buffers)
      throws IOException {
    RowGroup rowGroup = footer.rowGroups().get(group);
    List<ParquetField> fields = new ArrayList<>();
    List<Place> places = new ArrayList<>();
    for (Field column : plan.columns()) {
      ParquetField field = fieldOf(footer, column, path);
      fields.add(field);
      if (field != null) {
        addPlaces(field, rowGroup, source.sizeBytes(), path, places);
      }
    }
    Map<LeafColumn, Chunk> chunks = new IdentityHashMap<>();
    List<byte[]> runs = new ArrayList<>();
    long byteCount = readInOrder(places, source, chunks, runs, buffers);
    long firstRow =
        footer.rowGroups().subList(0, group).stream().mapToLong(one -> one.num_rows).sum();
    return new RowGroupBytes(firstRow, rowGroup.num_rows, fields, chunks, byteCount, runs, buffers);
  }

  /** The file's column for a table's column; null when this file has none. */
  private static ParquetField fieldOf(ParquetFooter footer, Field column, String path) {
    for (ParquetField field : footer.schema().fields()) {
      if (field.field().name().equals(column.name())) {
        if (!TypeRestoration.isPossible(field.field().type(), column.type())) {
          throw new MillraceException(
              ErrorCode.SCHEMA_MISMATCH,
              "A file's column has another type than the table's: '"
                  + column.name()
                  + "' is "
                  + field.field().type()
                  + ", expected "
                  + column.type()
                  + ", in '"
                  + path
                  + "'");
        }
        return field;
      }
    }
    return null;
  }

  private static void addPlaces(
      ParquetField field, RowGroup group, long fileSize, String path, List<Place> places) {
    if (field.shape() != ParquetField.Shape.LEAF) {
      field.children().forEach(child -> addPlaces(child, group, fileSize, path, places));
      return;
    }
    ColumnMetaData metadata = group.columns.get(field.leaf().index()).meta_data;
    long start = ColumnChunkReader.start(metadata);
    long length = metadata.total_compressed_size;
    if (start < 0 || length < 0 || length > Integer.MAX_VALUE - 64 || start + length > fileSize) {
      throw new MillraceException(
          ErrorCode.INVALID_FILE,
          "The file is damaged: column '"
              + field.leaf().element().name
              + "' ends outside of '"
              + path
              + "'");
    }
    boolean there = places.stream().anyMatch(place -> place.leaf.index() == field.leaf().index());
    if (!there) {
      places.add(new Place(field.leaf(), metadata, start, (int) length));
    }
  }

  private static long readInOrder(
      List<Place> places,
      ByteSource source,
      Map<LeafColumn, Chunk> chunks,
      List<byte[]> runs,
      PageBuffers buffers)
      throws IOException {
    List<Place> sorted = new ArrayList<>(places);
    sorted.sort((left, right) -> Long.compare(left.start, right.start));
    long byteCount = 0;
    int first = 0;
    while (first < sorted.size()) {
      int last = first;
      long end = sorted.get(first).end();
      while (last + 1 < sorted.size()
          && sorted.get(last + 1).start - end <= GAP_LIMIT_BYTES
          && sorted.get(last + 1).end() - sorted.get(first).start < Integer.MAX_VALUE - 64) {
        last++;
        end = Math.max(end, sorted.get(last).end());
      }
      long start = sorted.get(first).start;
      int length = (int) (end - start);
      byte[] run = buffers.take(length);
      runs.add(run);
      source.readFully(start, ByteBuffer.wrap(run, 0, length));
      byteCount += length;
      for (Place place : sorted.subList(first, last + 1)) {
        int from = (int) (place.start - start);
        chunks.put(place.leaf, new Chunk(place.metadata, run, from, from + place.length));
      }
      first = last + 1;
    }
    return byteCount;
  }

  /** The number in the file of its first row, from 0. */
  long firstRow() {
    return firstRow;
  }

  long rowCount() {
    return rowCount;
  }

  /** One a scanned column; null where the file has no such column. */
  List<ParquetField> fields() {
    return fields;
  }

  Map<LeafColumn, Chunk> chunks() {
    return chunks;
  }

  /** Bytes read from storage. */
  public long byteCount() {
    return byteCount;
  }

  /** Bytes of the values before compression, as the footer says. */
  long plainByteCount() {
    return chunks.values().stream()
        .mapToLong(chunk -> chunk.metadata().total_uncompressed_size)
        .sum();
  }

  /** Bytes of the arrays that it holds. */
  public long heldBytes() {
    return closed ? 0 : runs.stream().mapToLong(run -> run.length).sum();
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      runs.forEach(buffers::give);
    }
  }
}
