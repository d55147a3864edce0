package io.millrace.exec.format.parquet.write;

import io.millrace.core.batch.Batch;
import io.millrace.core.batch.FlatVector;
import io.millrace.core.type.ArrowTypes;
import io.millrace.core.type.Schema;
import io.millrace.exec.format.parquet.encoding.ByteSink;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.ipc.WriteChannel;
import org.apache.arrow.vector.ipc.message.MessageSerializer;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnOrder;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.KeyValue;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.TypeDefinedOrder;
import org.apache.parquet.format.Util;

/**
 * Writes one Parquet file. The types that Parquet lacks are kept in its metadata under {@code
 * ARROW:schema}, as Arrow's own writers do. Not thread-safe; the stream stays the caller's.
 */
public final class ParquetOutput {
  static final byte[] MAGIC = "PAR1".getBytes(StandardCharsets.US_ASCII);
  private static final String CREATED_BY = "millrace version 0.1.0";

  private final OutputStream stream;
  private final Schema schema;
  private final long rowGroupRows;
  private final long rowGroupBytes;
  private final BufferAllocator allocator;
  private final StoredField.Builder stored;
  private final List<LeafWriter> leaves = new ArrayList<>();
  private final LevelShredder shredder;
  private final List<RowGroup> rowGroups = new ArrayList<>();
  private long position;
  private long groupRows;

  /** Row groups end at 64 MiB that are held too. */
  public ParquetOutput(
      OutputStream stream,
      Schema schema,
      CompressionCodec codec,
      long rowGroupRows,
      BufferAllocator allocator) {
    this(stream, schema, codec, rowGroupRows, 64L << 20, allocator);
  }

  /**
   * @param rowGroupRows most rows of a row group
   * @param rowGroupBytes held bytes at which a row group ends too, whatever its rows
   * @param allocator for flattening columns
   * @throws io.millrace.core.error.MillraceException UNSUPPORTED_TYPE
   */
  public ParquetOutput(
      OutputStream stream,
      Schema schema,
      CompressionCodec codec,
      long rowGroupRows,
      long rowGroupBytes,
      BufferAllocator allocator) {
    this.stream = stream;
    this.schema = schema;
    this.rowGroupRows = rowGroupRows;
    this.rowGroupBytes = rowGroupBytes;
    this.allocator = allocator;
    this.stored = new StoredField.Builder(schema.fields());
    stored.leaves().forEach(leaf -> leaves.add(new LeafWriter(leaf, codec)));
    this.shredder = new LevelShredder(leaves);
  }

  /** Writes a batch of the schema; owns it, also on error. */
  public void write(Batch batch) throws IOException {
    try (Batch flat = batch.flatten(allocator)) {
      int from = 0;
      while (from < flat.rowCount()) {
        int to = (int) Math.min(flat.rowCount(), from + rowGroupRows - groupRows);
        for (int column = 0; column < flat.columnCount(); column++) {
          shredder.write(stored.fields().get(column), (FlatVector) flat.column(column), from, to);
        }
        groupRows += to - from;
        from = to;
        long held = leaves.stream().mapToLong(LeafWriter::heldBytes).sum();
        if (groupRows >= rowGroupRows || held >= rowGroupBytes) {
          endRowGroup();
        }
      }
    }
  }

  private void begin() throws IOException {
    if (position == 0) {
      stream.write(MAGIC);
      position = MAGIC.length;
    }
  }

  private void endRowGroup() throws IOException {
    if (groupRows == 0) {
      return;
    }
    begin();
    List<ColumnChunk> chunks = new ArrayList<>();
    long start = position;
    long plainBytes = 0;
    ByteSink bytes = new ByteSink();
    for (LeafWriter leaf : leaves) {
      bytes.clear();
      ColumnChunk chunk = leaf.finish(bytes, position);
      plainBytes += chunk.meta_data.total_uncompressed_size;
      stream.write(bytes.array(), 0, bytes.size());
      position += bytes.size();
      chunks.add(chunk);
    }
    RowGroup group = new RowGroup(chunks, plainBytes, groupRows);
    group.setFile_offset(start);
    group.setTotal_compressed_size(position - start);
    rowGroups.add(group);
    groupRows = 0;
  }

  /** Writes what is held and the footer. */
  public void finish() throws IOException {
    begin();
    endRowGroup();
    long rows = rowGroups.stream().mapToLong(group -> group.num_rows).sum();
    FileMetaData metadata = new FileMetaData(2, stored.elements(), rows, rowGroups);
    metadata.setCreated_by(CREATED_BY);
    metadata.addToKey_value_metadata(arrowSchema());
    stored
        .leaves()
        .forEach(
            leaf -> metadata.addToColumn_orders(ColumnOrder.TYPE_ORDER(new TypeDefinedOrder())));
    writeFooter(metadata, stream);
  }

  static void writeFooter(FileMetaData metadata, OutputStream stream) throws IOException {
    ByteSink footer = new ByteSink();
    Util.writeFileMetaData(metadata, footer);
    footer.writeInt32(footer.size());
    footer.write(MAGIC, 0, MAGIC.length);
    stream.write(footer.array(), 0, footer.size());
  }

  private KeyValue arrowSchema() throws IOException {
    ByteArrayOutputStream message = new ByteArrayOutputStream();
    MessageSerializer.serialize(
        new WriteChannel(Channels.newChannel(message)), ArrowTypes.toArrow(schema));
    KeyValue entry = new KeyValue("ARROW:schema");
    entry.setValue(Base64.getEncoder().encodeToString(message.toByteArray()));
    return entry;
  }
}
