package io.millrace.exec.format.parquet.read;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.spi.ByteSource;
import io.millrace.core.type.Field;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.RowGroup;

/** The compressed bytes of the columns that a scan reads of one row group. */
public final class RowGroupBytes {
  /** Chunks this near to each other are read in one go. */
  private static final long GAP_LIMIT_BYTES = 64 << 10;

  private final long firstRow;
  private final long rowCount;
  private final List<ParquetField> fields;
  private final Map<LeafColumn, Chunk> chunks;
  private final long byteCount;

  /** One column's bytes. */
  record Chunk(ColumnMetaData metadata, byte[] bytes) {}

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
      long byteCount) {
    this.firstRow = firstRow;
    this.rowCount = rowCount;
    this.fields = fields;
    this.chunks = chunks;
    this.byteCount = byteCount;
  }

  /**
   * Reads what the scan needs; blocks.
   *
   * @param path for error messages
   * @throws MillraceException SCHEMA_MISMATCH when this file's columns differ from the table's,
   *     INVALID_FILE
   */
  public static RowGroupBytes read(
      ParquetFooter footer, int group, ReadPlan plan, ByteSource source, String path)
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
    Map<LeafColumn, Chunk> chunks = new LinkedHashMap<>();
    long byteCount = readInOrder(places, source, chunks);
    long firstRow =
        footer.rowGroups().subList(0, group).stream().mapToLong(one -> one.num_rows).sum();
    return new RowGroupBytes(firstRow, rowGroup.num_rows, fields, chunks, byteCount);
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
    boolean there = places.stream().anyMatch(place -> place.leaf.equals(field.leaf()));
    if (!there) {
      places.add(new Place(field.leaf(), metadata, start, (int) length));
    }
  }

  private static long readInOrder(
      List<Place> places, ByteSource source, Map<LeafColumn, Chunk> chunks) throws IOException {
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
      byte[] run = new byte[(int) (end - start)];
      source.readFully(start, ByteBuffer.wrap(run));
      byteCount += run.length;
      for (Place place : sorted.subList(first, last + 1)) {
        int from = (int) (place.start - start);
        byte[] bytes =
            first == last ? run : java.util.Arrays.copyOfRange(run, from, from + place.length);
        chunks.put(place.leaf, new Chunk(place.metadata, bytes));
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
}
