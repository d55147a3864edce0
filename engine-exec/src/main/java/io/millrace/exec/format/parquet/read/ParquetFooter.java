package io.millrace.exec.format.parquet.read;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.plan.PhysicalExpression;
import io.millrace.core.spi.ByteSource;
import io.millrace.core.type.ArrowTypes;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import io.millrace.exec.format.parquet.encoding.LittleEndian;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.vector.ipc.ReadChannel;
import org.apache.arrow.vector.ipc.message.MessageSerializer;
import org.apache.parquet.format.ColumnChunk;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.KeyValue;
import org.apache.parquet.format.RowGroup;
import org.apache.parquet.format.Util;

/** What the end of a Parquet file says of it. */
public final class ParquetFooter {
  private static final byte[] MAGIC = "PAR1".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] ENCRYPTED_MAGIC = "PARE".getBytes(StandardCharsets.US_ASCII);
  private static final int TAIL_BYTES = 8;

  /** Read at once, so that most footers take one request. */
  private static final int FIRST_READ_BYTES = 64 << 10;

  /** A footer of a file with 10,000 columns and 1,000 row groups is smaller. */
  private static final int FOOTER_LIMIT_BYTES = 1 << 30;

  /** The footer's reader takes no smaller limit well. */
  private static final int LEAST_LIMIT_BYTES = 1024;

  private final FileMetaData metadata;
  private final ParquetSchema schema;

  private ParquetFooter(FileMetaData metadata) {
    this.metadata = metadata;
    this.schema = new ParquetSchema(metadata.schema, writerFields(metadata));
  }

  /** What {@code ARROW:schema} says; a part that makes no sense here is left out: it is a hint. */
  private static Map<String, Field> writerFields(FileMetaData metadata) {
    Map<String, Field> fields = new HashMap<>();
    if (metadata.key_value_metadata == null) {
      return fields;
    }
    for (KeyValue entry : metadata.key_value_metadata) {
      if (entry.key.equals("ARROW:schema") && entry.value != null) {
        try {
          byte[] message = Base64.getDecoder().decode(entry.value);
          if (claimedBytes(message) > message.length) {
            return new HashMap<>();
          }
          var schema =
              MessageSerializer.deserializeSchema(
                  new ReadChannel(Channels.newChannel(new ByteArrayInputStream(message))));
          schema.getFields().forEach(field -> addWriterField(field, fields));
        } catch (IOException | RuntimeException unreadable) {
          return new HashMap<>();
        }
      }
    }
    return fields;
  }

  /** What an Arrow message says of its length, after the mark that newer ones begin with. */
  private static int claimedBytes(byte[] message) {
    int first = LittleEndian.int32(message, 0);
    int length = first == -1 ? LittleEndian.int32(message, 4) : first;
    return length < 0 ? Integer.MAX_VALUE : length;
  }

  private static void addWriterField(
      org.apache.arrow.vector.types.pojo.Field field, Map<String, Field> fields) {
    try {
      fields.put(field.getName(), ArrowTypes.fromArrow(field));
    } catch (RuntimeException unknownType) {
      fields.remove(field.getName());
    }
  }

  /**
   * @param uri for error messages
   * @throws MillraceException INVALID_FILE when it is no Parquet file, UNSUPPORTED_FORMAT when it
   *     is encrypted, IO_FAILED
   */
  public static ParquetFooter read(ByteSource source, String uri) {
    try {
      return read(source);
    } catch (NotParquetException problem) {
      throw new MillraceException(
          ErrorCode.INVALID_FILE,
          "The file is no Parquet file (" + problem.getMessage() + "): '" + uri + "'",
          problem);
    } catch (MillraceException problem) {
      throw new MillraceException(
          problem.code(), problem.getMessage() + " File: '" + uri + "'", problem);
    } catch (EOFException problem) {
      throw new MillraceException(
          ErrorCode.INVALID_FILE,
          "The file is shorter than its footer says: '" + uri + "'",
          problem);
    } catch (IOException problem) {
      throw new MillraceException(
          ErrorCode.IO_FAILED,
          "The file cannot be read: '" + uri + "': " + problem.getMessage(),
          problem);
    }
  }

  /** Why bytes are no Parquet file. */
  private static final class NotParquetException extends IOException {
    private static final long serialVersionUID = 1L;

    NotParquetException(String message, Throwable cause) {
      super(message, cause);
    }
  }

  private static ParquetFooter read(ByteSource source) throws IOException {
    long size = source.sizeBytes();
    if (size < TAIL_BYTES + MAGIC.length) {
      throw new NotParquetException("it has only " + size + " bytes", null);
    }
    byte[] tail = bytes(source, size, (int) Math.min(size, FIRST_READ_BYTES));
    byte[] magic = Arrays.copyOfRange(tail, tail.length - MAGIC.length, tail.length);
    if (Arrays.equals(magic, ENCRYPTED_MAGIC)) {
      throw encrypted();
    }
    if (!Arrays.equals(magic, MAGIC)) {
      throw new NotParquetException("it does not end with PAR1", null);
    }
    int length = LittleEndian.int32(tail, tail.length - TAIL_BYTES);
    if (length <= 0 || length > FOOTER_LIMIT_BYTES || length + TAIL_BYTES > size) {
      throw new NotParquetException("its footer claims " + length + " bytes", null);
    }
    byte[] block =
        length + TAIL_BYTES <= tail.length ? tail : bytes(source, size, length + TAIL_BYTES);
    FileMetaData metadata;
    try {
      int start = block.length - TAIL_BYTES - length;
      // The limit keeps damaged lists from allocating by what they claim.
      metadata =
          Util.readFileMetaData(
              new ByteArrayInputStream(block, start, length), Math.max(length, LEAST_LIMIT_BYTES));
    } catch (IOException | RuntimeException problem) {
      throw new NotParquetException("its footer is damaged", problem);
    }
    if (metadata.isSetEncryption_algorithm()) {
      throw encrypted();
    }
    ParquetFooter footer = new ParquetFooter(metadata);
    for (RowGroup group : metadata.row_groups) {
      footer.check(group);
    }
    return footer;
  }

  /** Finds footers whose parts contradict each other: a scan would trust them. */
  private void check(RowGroup group) throws NotParquetException {
    List<LeafColumn> leaves = schema.leaves();
    if (group.num_rows < 0 || group.columns.size() != leaves.size()) {
      throw new NotParquetException("a row group does not fit the schema", null);
    }
    for (LeafColumn leaf : leaves) {
      ColumnMetaData column = group.columns.get(leaf.index()).meta_data;
      if (column == null
          || column.type != leaf.element().type
          || column.codec == null
          || (leaf.maximumRepetition() == 0
              ? column.num_values != group.num_rows
              : column.num_values < group.num_rows)) {
        throw new NotParquetException("a column chunk does not fit its row group", null);
      }
    }
  }

  private static MillraceException encrypted() {
    return new MillraceException(
        ErrorCode.UNSUPPORTED_FORMAT,
        "The file is encrypted, which is not supported; decrypt it first.");
  }

  private static byte[] bytes(ByteSource source, long end, int count) throws IOException {
    byte[] bytes = new byte[count];
    source.readFully(end - count, ByteBuffer.wrap(bytes));
    return bytes;
  }

  public ParquetSchema schema() {
    return schema;
  }

  List<RowGroup> rowGroups() {
    return metadata.row_groups;
  }

  public int rowGroupCount() {
    return metadata.row_groups.size();
  }

  /** Rows of all row groups. */
  public long rowCount() {
    return metadata.row_groups.stream().mapToLong(group -> group.num_rows).sum();
  }

  /** Rows of one row group. */
  public long rowCount(int rowGroup) {
    return metadata.row_groups.get(rowGroup).num_rows;
  }

  /** Compressed bytes of one row group, all columns. */
  public long byteCount(int rowGroup) {
    return metadata.row_groups.get(rowGroup).columns.stream()
        .mapToLong(column -> column.meta_data.total_compressed_size)
        .sum();
  }

  /** Column chunks of all row groups. */
  public long chunkCount() {
    return (long) metadata.row_groups.size() * schema.leaves().size();
  }

  /** Whether a row of a row group may pass all conjuncts, over positions of the table's columns. */
  public boolean mayPass(int rowGroup, List<PhysicalExpression> conjuncts, Schema table) {
    return new RowGroupPruning(position -> bounds(rowGroup, table.field(position)))
        .mayPass(conjuncts);
  }

  /**
   * What is sure of a column in a row group; null when nothing is.
   *
   * @param column a table's column
   */
  public ColumnBounds bounds(int rowGroup, Field column) {
    RowGroup group = metadata.row_groups.get(rowGroup);
    ParquetField field = schema.find(column.name());
    if (field == null) {
      return ColumnBounds.allNull(group.num_rows);
    }
    if (field.leaf() == null || field.leaf().maximumRepetition() > 0) {
      return null;
    }
    // Under another type the bounds would be in other units.
    if (!hasSameUnits(field.field().type(), column.type())) {
      return null;
    }
    int leaf = field.leaf().index();
    boolean trusted =
        metadata.isSetColumn_orders()
            && leaf < metadata.column_orders.size()
            && metadata.column_orders.get(leaf).isSetTYPE_ORDER();
    return ColumnBounds.of(group.columns.get(leaf).meta_data, field.leaf(), trusted);
  }

  /**
   * Different values of a column in a row group: as its writer counted them, or as many as make a
   * chunk of a dictionary and codes this large.
   *
   * @return −1 when neither is known
   */
  public double distinctCount(int rowGroup, Field column) {
    ParquetField field = schema.find(column.name());
    if (field == null || field.leaf() == null || field.leaf().maximumRepetition() > 0) {
      return -1;
    }
    ColumnMetaData chunk =
        metadata.row_groups.get(rowGroup).columns.get(field.leaf().index()).meta_data;
    return chunk.statistics != null && chunk.statistics.isSetDistinct_count()
        ? chunk.statistics.distinct_count
        : DictionarySize.of(chunk);
  }

  private static boolean hasSameUnits(DataType stored, DataType wanted) {
    return stored.equals(wanted)
        || stored instanceof DataType.Timestamp own
            && wanted instanceof DataType.Timestamp other
            && own.unit() == other.unit();
  }

  /**
   * Bytes before compression of a column in a row group, all its leaves; 0 when it is not there.
   */
  public long plainByteCount(int rowGroup, String column) {
    RowGroup group = metadata.row_groups.get(rowGroup);
    ParquetField field = schema.find(column);
    if (field != null && field.leaf() != null) {
      return group.columns.get(field.leaf().index()).meta_data.total_uncompressed_size;
    }
    long bytes = 0;
    for (ColumnChunk chunk : group.columns) {
      if (!chunk.meta_data.path_in_schema.isEmpty()
          && chunk.meta_data.path_in_schema.getFirst().equals(column)) {
        bytes += chunk.meta_data.total_uncompressed_size;
      }
    }
    return bytes;
  }
}
