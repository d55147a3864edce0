package io.millrace.core.batch;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.type.ArrowTypes;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.OutOfMemoryException;
import org.apache.arrow.vector.compression.CompressionCodec;
import org.apache.arrow.vector.compression.CompressionUtil;
import org.apache.arrow.vector.compression.NoCompressionCodec;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.apache.arrow.vector.ipc.ReadChannel;
import org.apache.arrow.vector.ipc.WriteChannel;
import org.apache.arrow.vector.ipc.message.ArrowDictionaryBatch;
import org.apache.arrow.vector.ipc.message.ArrowMessage;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.ipc.message.IpcOption;
import org.apache.arrow.vector.ipc.message.MessageSerializer;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.DictionaryEncoding;

/**
 * A batch as one complete Arrow IPC stream: schema, dictionaries, one record batch, end. Streams
 * may follow each other in one channel. Dictionaries stay dictionaries, cut to what the rows use
 * when they are larger than the rows; a selection is applied; a constant is written out, or becomes
 * a dictionary of one value. Stateless but for its settings; thread-safe.
 */
public final class BatchCodec {
  /** The flatbuffer of one message; a schema of 100,000 columns takes about this much. */
  private static final int METADATA_LIMIT_BYTES = 1 << 25;

  private static final String ORIGIN_KEY = "millrace.origin.";

  /** Twelve bytes a row in metadata: about a MiB. */
  private static final int ORIGIN_ROWS_LIMIT = 1 << 16;

  private final CompressionCodec compression;
  private final CompressionCodec.Factory factory;

  private BatchCodec(CompressionCodec compression, CompressionCodec.Factory factory) {
    this.compression = compression;
    this.factory = factory;
  }

  /** Writes uncompressed; reads what needs the codecs on the class path. */
  public static BatchCodec plain() {
    return new BatchCodec(NoCompressionCodec.INSTANCE, CompressionCodec.Factory.INSTANCE);
  }

  /**
   * Writes with ZSTD; needs Arrow's compression artifact on the class path.
   *
   * @param level ZSTD's level; 1 is fast, 3 its default
   */
  public static BatchCodec zstd(int level) {
    CompressionCodec.Factory factory = CompressionCodec.Factory.INSTANCE;
    return new BatchCodec(factory.createCodec(CompressionUtil.CodecType.ZSTD, level), factory);
  }

  /** The bytes of a batch, which stays usable and the caller's. */
  public byte[] encode(Batch batch, BufferAllocator allocator) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      write(batch, Channels.newChannel(bytes), allocator);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    return bytes.toByteArray();
  }

  /** The batch in the bytes of {@link #encode}. */
  public Batch decode(byte[] bytes, BufferAllocator allocator) {
    try {
      return read(Channels.newChannel(new ByteArrayInputStream(bytes)), allocator)
          .orElseThrow(
              () -> new MillraceException(ErrorCode.INVALID_FILE, "An encoded batch is empty"));
    } catch (IOException failure) {
      throw new MillraceException(ErrorCode.INVALID_FILE, "An encoded batch is cut off", failure);
    }
  }

  /**
   * Appends a batch, which stays usable and the caller's.
   *
   * @param allocator for what must be rearranged or compressed before writing
   * @return bytes written
   */
  public long write(Batch batch, WritableByteChannel channel, BufferAllocator allocator)
      throws IOException {
    WriteChannel output = new WriteChannel(channel);
    try (Batch compact = batch.share().compact(allocator)) {
      List<ColumnVector> columns = new ArrayList<>(compact.columnCount());
      try {
        for (ColumnVector column : compact.columns()) {
          columns.add(writable(column, allocator));
        }
        write(compact.schema(), columns, compact.rowCount(), output, allocator);
      } finally {
        columns.forEach(ColumnVector::close);
      }
    }
    return output.getCurrentPosition();
  }

  private static ColumnVector writable(ColumnVector column, BufferAllocator allocator) {
    return switch (column) {
      case FlatVector flat -> flat.retain();
      case DictionaryVector coded -> DictionaryCompaction.compact(coded, allocator);
      case ConstantVector constant ->
          constant.isNull() || constant.value().layout().kind() != PhysicalLayout.Kind.VARIABLE
              ? constant.flatten(allocator)
              : DictionaryCompaction.ofConstant(constant, allocator);
    };
  }

  private void write(
      Schema schema,
      List<ColumnVector> columns,
      int rowCount,
      WriteChannel output,
      BufferAllocator allocator)
      throws IOException {
    List<org.apache.arrow.vector.types.pojo.Field> fields = new ArrayList<>(columns.size());
    for (int index = 0; index < columns.size(); index++) {
      boolean coded = columns.get(index) instanceof DictionaryVector;
      fields.add(
          coded
              ? ArrowTypes.toArrow(
                  schema.field(index),
                  new DictionaryEncoding(index, false, new ArrowType.Int(32, true)))
              : ArrowTypes.toArrow(schema.field(index)));
    }
    MessageSerializer.serialize(
        output, new org.apache.arrow.vector.types.pojo.Schema(fields, origins(columns)));
    for (int index = 0; index < columns.size(); index++) {
      if (columns.get(index) instanceof DictionaryVector coded) {
        List<FlatVector> values = List.of(coded.dictionary());
        try (ArrowDictionaryBatch dictionary =
            new ArrowDictionaryBatch(
                index, record(values, coded.dictionary().length(), allocator), false)) {
          MessageSerializer.serialize(output, dictionary);
        }
      }
    }
    List<FlatVector> flat = new ArrayList<>(columns.size());
    for (ColumnVector column : columns) {
      flat.add(column instanceof DictionaryVector coded ? coded.codeVector() : (FlatVector) column);
    }
    try (ArrowRecordBatch record = record(flat, rowCount, allocator)) {
      MessageSerializer.serialize(output, record);
    }
    ArrowStreamWriter.writeEndOfStream(output, IpcOption.DEFAULT);
  }

  /** Where the columns' rows are from, as far as it is known. */
  private static Map<String, String> origins(List<ColumnVector> columns) {
    Map<String, String> texts = new HashMap<>();
    for (int index = 0; index < columns.size(); index++) {
      RowOrigin origin = columns.get(index).origin();
      if (origin != null && origin.length() <= ORIGIN_ROWS_LIMIT) {
        texts.put(ORIGIN_KEY + index, Base64.getEncoder().encodeToString(origin.encode()));
      }
    }
    return texts;
  }

  private static RowOrigin origin(org.apache.arrow.vector.types.pojo.Schema schema, int index) {
    String text = schema.getCustomMetadata().get(ORIGIN_KEY + index);
    return text == null ? null : RowOrigin.decode(Base64.getDecoder().decode(text));
  }

  private ArrowRecordBatch record(
      List<FlatVector> vectors, int rowCount, BufferAllocator allocator) {
    try (IpcParts parts = new IpcParts(allocator)) {
      vectors.forEach(parts::add);
      List<ArrowBuf> buffers = parts.buffers();
      if (compression.getCodecType() != CompressionUtil.CodecType.NO_COMPRESSION) {
        for (int index = 0; index < buffers.size(); index++) {
          // Compressing consumes its input.
          buffers.set(index, compression.compress(allocator, buffers.get(index)));
        }
      }
      return new ArrowRecordBatch(
          rowCount,
          parts.nodes(),
          List.copyOf(buffers),
          CompressionUtil.createBodyCompression(compression),
          true);
    }
  }

  /**
   * Reads the next batch.
   *
   * @return owned by the caller; empty at the end of the channel
   * @throws MillraceException INVALID_FILE when the bytes are no such stream
   */
  public Optional<Batch> read(ReadableByteChannel channel, BufferAllocator allocator)
      throws IOException {
    try {
      return readStream(channel, allocator);
    } catch (MillraceException | OutOfMemoryException known) {
      throw known;
    } catch (RuntimeException unreadable) {
      // Arrow's readers meet damaged metadata with many kinds of exceptions.
      throw new MillraceException(
          ErrorCode.INVALID_FILE, "An encoded batch is damaged: " + unreadable, unreadable);
    }
  }

  private Optional<Batch> readStream(ReadableByteChannel channel, BufferAllocator allocator)
      throws IOException {
    ReadChannel input = new ReadChannel(channel);
    Message message = readMetadata(input, true);
    if (message == null) {
      return Optional.empty();
    }
    if (message.headerType() != MessageHeader.Schema) {
      throw damaged("message kind " + message.headerType() + " before the schema");
    }
    org.apache.arrow.vector.types.pojo.Schema arrow = MessageSerializer.deserializeSchema(message);
    Schema schema = ArrowTypes.fromArrow(arrow);
    Map<Long, Field> encoded = new HashMap<>();
    for (int index = 0; index < schema.size(); index++) {
      DictionaryEncoding encoding = arrow.getFields().get(index).getDictionary();
      if (encoding != null) {
        encoded.put(encoding.getId(), schema.field(index));
      }
    }
    Map<Long, FlatVector> dictionaries = new HashMap<>();
    Batch result = null;
    try {
      ArrowMessage next;
      while ((next = nextMessage(input, allocator)) != null) {
        switch (next) {
          case ArrowDictionaryBatch dictionary -> {
            try (dictionary) {
              if (dictionaries.containsKey(dictionary.getDictionaryId())) {
                throw damaged("a dictionary twice");
              }
              dictionaries.put(
                  dictionary.getDictionaryId(), readDictionary(dictionary, encoded, allocator));
            }
          }
          case ArrowRecordBatch record -> {
            try (record) {
              if (result != null) {
                throw damaged("several record batches");
              }
              result = readRecord(record, arrow, schema, dictionaries, allocator);
            }
          }
          default -> throw damaged("an unknown message");
        }
      }
      if (result == null) {
        throw damaged("no record batch");
      }
      return Optional.of(result);
    } catch (RuntimeException | IOException | Error failure) {
      if (result != null) {
        result.close();
      }
      throw failure;
    } finally {
      dictionaries.values().forEach(FlatVector::close);
    }
  }

  /**
   * The metadata of the next message; null at the end of a stream, or of the channel where that is
   * allowed. Read here rather than by Arrow, which allocates whatever length the bytes claim.
   */
  private static Message readMetadata(ReadChannel input, boolean mayEnd) throws IOException {
    ByteBuffer prefix = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
    int read = input.readFully(prefix);
    if (read == 0 && mayEnd) {
      return null;
    }
    int length = prefix.getInt(4);
    if (read < 8 || prefix.getInt(0) != MessageSerializer.IPC_CONTINUATION_TOKEN) {
      throw damaged("no message where one begins");
    }
    if (length == 0) {
      return null;
    }
    if (length < 0 || length > METADATA_LIMIT_BYTES) {
      throw damaged("metadata of " + length + " bytes");
    }
    ByteBuffer metadata = ByteBuffer.allocate(length);
    if (input.readFully(metadata) < length) {
      throw damaged("cut off");
    }
    metadata.rewind();
    return Message.getRootAsMessage(metadata);
  }

  /** The next message; null at the end of the stream. A message without bytes has no body. */
  private static ArrowMessage nextMessage(ReadChannel input, BufferAllocator allocator)
      throws IOException {
    Message message = readMetadata(input, false);
    if (message == null) {
      return null;
    }
    long bytes = message.bodyLength();
    ArrowBuf body =
        bytes == 0
            ? allocator.getEmpty()
            : MessageSerializer.readMessageBody(input, bytes, allocator);
    try {
      return switch (message.headerType()) {
        case MessageHeader.RecordBatch -> MessageSerializer.deserializeRecordBatch(message, body);
        case MessageHeader.DictionaryBatch ->
            MessageSerializer.deserializeDictionaryBatch(message, body);
        default -> throw damaged("message kind " + message.headerType());
      };
    } catch (RuntimeException | IOException | Error failure) {
      // All references are from this call; Arrow does not drop its own when it fails half-way.
      if (bytes > 0 && body.refCnt() > 0) {
        body.getReferenceManager().release(body.refCnt());
      }
      throw failure;
    }
  }

  private FlatVector readDictionary(
      ArrowDictionaryBatch dictionary, Map<Long, Field> encoded, BufferAllocator allocator) {
    Field field = encoded.get(dictionary.getDictionaryId());
    if (field == null || dictionary.isDelta()) {
      throw damaged("a dictionary that no column uses");
    }
    return readVectors(dictionary.getDictionary(), List.of(field.type()), allocator).get(0);
  }

  private Batch readRecord(
      ArrowRecordBatch record,
      org.apache.arrow.vector.types.pojo.Schema arrow,
      Schema schema,
      Map<Long, FlatVector> dictionaries,
      BufferAllocator allocator) {
    List<DataType> types = new ArrayList<>(schema.size());
    for (int index = 0; index < schema.size(); index++) {
      types.add(
          arrow.getFields().get(index).getDictionary() == null
              ? schema.field(index).type()
              : DataType.INT32);
    }
    boolean complete =
        arrow.getFields().stream()
            .map(org.apache.arrow.vector.types.pojo.Field::getDictionary)
            .allMatch(encoding -> encoding == null || dictionaries.containsKey(encoding.getId()));
    if (!complete) {
      throw damaged("a missing dictionary");
    }
    List<ColumnVector> columns = new ArrayList<>(readVectors(record, types, allocator));
    try {
      for (int index = 0; index < columns.size(); index++) {
        DictionaryEncoding encoding = arrow.getFields().get(index).getDictionary();
        if (encoding != null) {
          FlatVector dictionary = dictionaries.get(encoding.getId()).retain();
          // Consumes the codes also when it throws; a second close of them does nothing.
          columns.set(index, new DictionaryVector((FlatVector) columns.get(index), dictionary));
        }
        RowOrigin origin = origin(arrow, index);
        if (origin != null && origin.length() == columns.get(index).length()) {
          columns.set(index, columns.get(index).withOrigin(origin));
        }
      }
    } catch (RuntimeException | Error failure) {
      columns.forEach(ColumnVector::close);
      throw failure;
    }
    return new Batch(schema, columns, record.getLength());
  }

  private List<FlatVector> readVectors(
      ArrowRecordBatch record, List<DataType> types, BufferAllocator allocator) {
    List<ArrowBuf> plain = decompress(record, allocator);
    List<FlatVector> vectors = new ArrayList<>(types.size());
    try {
      IpcParts.Reader reader = new IpcParts.Reader(record, plain, allocator);
      for (DataType type : types) {
        vectors.add(reader.next(type));
      }
      return vectors;
    } catch (RuntimeException | Error failure) {
      vectors.forEach(FlatVector::close);
      throw failure;
    } finally {
      plain.forEach(ArrowBuf::close);
    }
  }

  private List<ArrowBuf> decompress(ArrowRecordBatch record, BufferAllocator allocator) {
    CompressionUtil.CodecType type =
        CompressionUtil.CodecType.fromCompressionType(record.getBodyCompression().getCodec());
    List<ArrowBuf> plain = new ArrayList<>(record.getBuffers().size());
    CompressionCodec codec =
        type == CompressionUtil.CodecType.NO_COMPRESSION ? null : factory.createCodec(type);
    try {
      for (ArrowBuf buffer : record.getBuffers()) {
        plain.add(FlatVector.retain(buffer));
        if (codec != null && buffer.capacity() > 0) {
          // Decompressing consumes its input when it succeeds.
          plain.set(plain.size() - 1, codec.decompress(allocator, buffer));
        }
      }
      return plain;
    } catch (RuntimeException | Error failure) {
      plain.forEach(ArrowBuf::close);
      throw failure;
    }
  }

  private static MillraceException damaged(String what) {
    return new MillraceException(ErrorCode.INVALID_FILE, "An encoded batch is damaged: " + what);
  }
}
