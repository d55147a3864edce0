package io.millrace.exec.format.arrow;

import io.millrace.core.batch.ArrowBatches;
import io.millrace.core.batch.Batch;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.spi.ByteSource;
import io.millrace.core.type.ArrowTypes;
import io.millrace.core.type.Schema;
import io.millrace.exec.format.output.FileFormat;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorLoader;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.VectorUnloader;
import org.apache.arrow.vector.compression.CompressionUtil.CodecType;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.ipc.ArrowFileWriter;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.ipc.message.IpcOption;

/**
 * Arrow IPC files as an output. Option: {@code compression} ({@code none}, the default, {@code
 * zstd} or {@code lz4}).
 */
final class ArrowFormat implements FileFormat {
  static final Set<String> OPTIONS = Set.of("compression");

  private final Schema schema;
  private final CodecType codec;
  private final BufferAllocator allocator;

  ArrowFormat(Schema schema, Map<String, String> options, BufferAllocator allocator) {
    this.schema = schema;
    this.codec = codec(options.getOrDefault("compression", "none"));
    this.allocator = allocator;
  }

  private static CodecType codec(String name) {
    return switch (name.toLowerCase(Locale.ROOT)) {
      case "none", "uncompressed" -> CodecType.NO_COMPRESSION;
      case "zstd" -> CodecType.ZSTD;
      case "lz4" -> CodecType.LZ4_FRAME;
      default ->
          throw new MillraceException(
              ErrorCode.INVALID_OPTION_VALUE,
              "Option compression takes zstd, lz4 or none: '" + name + "'");
    };
  }

  @Override
  public String suffix() {
    return ".arrow";
  }

  @Override
  public RowOutput open(OutputStream stream) throws IOException {
    return new Rows(stream);
  }

  @Override
  public void join(List<ByteSource> parts, OutputStream target) throws IOException {
    Rows rows = new Rows(target);
    try {
      for (ByteSource part : parts) {
        ArrowLayout layout = ArrowLayout.read(part, "a part of the write");
        ArrowMessages messages = new ArrowMessages(layout, 0, layout.batches().size());
        try (MessageReader reader = new MessageReader(allocator)) {
          for (List<byte[]> next = messages.next(part);
              !next.isEmpty();
              next = messages.next(part)) {
            reader.load(next);
            rows.write(reader.getVectorSchemaRoot());
          }
        }
      }
      rows.finish();
    } finally {
      rows.release();
    }
  }

  /** One file. Memory is held only while a batch is written. */
  private final class Rows implements RowOutput {
    private final OutputStream stream;
    private VectorSchemaRoot root;
    private ArrowFileWriter writer;

    Rows(OutputStream stream) {
      this.stream = stream;
    }

    private void begin() throws IOException {
      if (writer == null) {
        root = VectorSchemaRoot.create(ArrowTypes.toArrow(schema), allocator);
        writer =
            new ArrowFileWriter(
                root,
                new DictionaryProvider.MapDictionaryProvider(),
                Channels.newChannel(stream),
                null,
                IpcOption.DEFAULT,
                new ArrowCodecs(),
                codec);
        writer.start();
      }
    }

    @Override
    public void write(Batch batch) throws IOException {
      try (VectorSchemaRoot rows = ArrowBatches.toArrow(batch, allocator)) {
        write(rows);
      }
    }

    private void write(VectorSchemaRoot rows) throws IOException {
      begin();
      try (ArrowRecordBatch record = new VectorUnloader(rows).getRecordBatch()) {
        new VectorLoader(root).load(record);
        writer.writeBatch();
      } finally {
        root.clear();
      }
    }

    @Override
    public void finish() throws IOException {
      begin();
      writer.end();
      release();
    }

    private void release() {
      if (root != null) {
        root.close();
        root = null;
      }
    }
  }
}
