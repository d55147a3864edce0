package io.millrace.exec.format.parquet.write;

import io.millrace.core.batch.Batch;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.spi.ByteSource;
import io.millrace.core.type.Schema;
import io.millrace.exec.format.output.FileFormat;
import io.millrace.exec.format.text.TextOptions;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.parquet.format.CompressionCodec;

/**
 * Parquet as an output. Options: {@code compression} ({@code snappy}, the default; {@code zstd},
 * {@code gzip}, {@code none}) and {@code row_group_rows} ({@code row_group_size}; default 122,880).
 */
public final class ParquetFormat implements FileFormat {
  /** Names of the options. */
  public static final Set<String> OPTIONS =
      Set.of("compression", "row_group_rows", "row_group_size");

  private static final long ROW_GROUP_ROWS = 122_880;
  private static final long ROW_GROUP_BYTES = 64L << 20;

  /** A write by partition holds a row group for each of its open files. */
  private static final long PARTITION_ROW_GROUP_BYTES = 8L << 20;

  private final Schema schema;
  private final CompressionCodec codec;
  private final long rowGroupRows;
  private final long rowGroupBytes;
  private final BufferAllocator allocator;

  /**
   * @throws MillraceException UNSUPPORTED_TYPE, DUPLICATE_NAME, INVALID_OPTION_VALUE
   */
  public ParquetFormat(Schema schema, Map<String, String> options, BufferAllocator allocator) {
    this.schema = schema;
    this.codec = codec(options.getOrDefault("compression", "snappy"));
    this.rowGroupRows =
        new TextOptions(options).count(ROW_GROUP_ROWS, "row_group_rows", "row_group_size");
    boolean partitioned = !options.getOrDefault("partition_by", "").isBlank();
    this.rowGroupBytes = partitioned ? PARTITION_ROW_GROUP_BYTES : ROW_GROUP_BYTES;
    this.allocator = allocator;
  }

  /** Finds types that cannot be stored before anything is written. */
  public ParquetFormat checked() {
    new StoredField.Builder(schema.fields());
    Set<String> names = new java.util.HashSet<>();
    for (String name : schema.names()) {
      if (!names.add(name)) {
        throw new MillraceException(
            ErrorCode.DUPLICATE_NAME,
            "Columns of a file have different names; rename one: '" + name + "'");
      }
    }
    return this;
  }

  private static CompressionCodec codec(String name) {
    return switch (name.toLowerCase(Locale.ROOT)) {
      case "snappy" -> CompressionCodec.SNAPPY;
      case "zstd" -> CompressionCodec.ZSTD;
      case "gzip" -> CompressionCodec.GZIP;
      case "none", "uncompressed" -> CompressionCodec.UNCOMPRESSED;
      default ->
          throw new MillraceException(
              ErrorCode.INVALID_OPTION_VALUE,
              "Option compression takes snappy, zstd, gzip or none: '" + name + "'");
    };
  }

  @Override
  public String suffix() {
    return ".parquet";
  }

  @Override
  public RowOutput open(OutputStream stream) {
    ParquetOutput output =
        new ParquetOutput(stream, schema, codec, rowGroupRows, rowGroupBytes, allocator);
    return new RowOutput() {
      @Override
      public void write(Batch batch) throws IOException {
        output.write(batch);
      }

      @Override
      public void finish() throws IOException {
        output.finish();
      }
    };
  }

  @Override
  public void join(List<ByteSource> parts, OutputStream target) throws IOException {
    ParquetJoin.join(parts, target);
  }
}
