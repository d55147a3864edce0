package io.millrace.exec.format.arrow;

import com.github.luben.zstd.Zstd;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.flatbuf.Buffer;
import org.apache.arrow.flatbuf.CompressionType;
import org.apache.arrow.flatbuf.DictionaryBatch;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.RecordBatch;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.compression.NoCompressionCodec;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.ipc.ReadChannel;
import org.apache.arrow.vector.ipc.message.ArrowDictionaryBatch;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.ipc.message.MessageSerializer;
import org.apache.arrow.vector.types.pojo.Schema;

/**
 * Loads messages from the heap into vectors. Buffers are decompressed here, not by Arrow's loader,
 * which loses what it had allocated when one of them is damaged.
 */
final class MessageReader extends ArrowReader {
  private static final int LENGTH_BYTES = 8;

  private final Lz4Frame lz4 = new Lz4Frame();
  private byte[] schemaMessage;
  private List<byte[]> messages = List.of();

  MessageReader(BufferAllocator allocator) {
    super(allocator);
  }

  /** Loads the record batch that ends these messages; the first ones begin with the schema. */
  void load(List<byte[]> given) throws IOException {
    messages = given;
    if (schemaMessage == null) {
      schemaMessage = given.getFirst();
      messages = given.subList(1, given.size());
    }
    if (!loadNextBatch()) {
      throw new IOException("a record batch is missing");
    }
  }

  @Override
  public boolean loadNextBatch() throws IOException {
    prepareLoadNextBatch();
    for (byte[] bytes : messages) {
      ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
      int prefix = buffer.getInt(0) == -1 ? 8 : 4;
      int bodyStart = prefix + buffer.getInt(prefix - 4);
      buffer.position(prefix);
      Message message = Message.getRootAsMessage(buffer.slice().order(ByteOrder.LITTLE_ENDIAN));
      if (message.headerType() == MessageHeader.DictionaryBatch) {
        DictionaryBatch header = (DictionaryBatch) message.header(new DictionaryBatch());
        loadDictionary(
            new ArrowDictionaryBatch(
                header.id(), batch(header.data(), bytes, bodyStart), header.isDelta()));
      } else {
        RecordBatch header = (RecordBatch) message.header(new RecordBatch());
        loadRecordBatch(batch(header, bytes, bodyStart));
        return true;
      }
    }
    return false;
  }

  private ArrowRecordBatch batch(RecordBatch header, byte[] bytes, int bodyStart) {
    List<ArrowFieldNode> nodes = new ArrayList<>();
    for (int index = 0; index < header.nodesLength(); index++) {
      nodes.add(new ArrowFieldNode(header.nodes(index).length(), header.nodes(index).nullCount()));
    }
    List<Long> views = new ArrayList<>();
    for (int index = 0; index < header.variadicBufferCountsLength(); index++) {
      views.add(header.variadicBufferCounts(index));
    }
    List<ArrowBuf> buffers = new ArrayList<>();
    try {
      for (int index = 0; index < header.buffersLength(); index++) {
        buffers.add(buffer(header, header.buffers(index), bytes, bodyStart));
      }
      return new ArrowRecordBatch(
          (int) header.length(),
          nodes,
          buffers,
          NoCompressionCodec.DEFAULT_BODY_COMPRESSION,
          views,
          false,
          true);
    } finally {
      buffers.forEach(ArrowBuf::close);
    }
  }

  private ArrowBuf buffer(RecordBatch header, Buffer place, byte[] bytes, int bodyStart) {
    int from = bodyStart + (int) place.offset();
    int length = (int) place.length();
    if (header.compression() == null || length == 0) {
      return copy(bytes, from, length);
    }
    long plainLength = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong(from);
    if (plainLength < 0) {
      return copy(bytes, from + LENGTH_BYTES, length - LENGTH_BYTES);
    }
    if (plainLength == 0) {
      return allocator.getEmpty();
    }
    byte[] compressed = new byte[length - LENGTH_BYTES];
    System.arraycopy(bytes, from + LENGTH_BYTES, compressed, 0, compressed.length);
    byte[] plain = plain(header.compression().codec(), compressed, Math.toIntExact(plainLength));
    return copy(plain, 0, plain.length);
  }

  private byte[] plain(byte codec, byte[] compressed, int length) {
    // No frame can claim more: a damaged length must not allocate by what it claims.
    if (codec == CompressionType.ZSTD) {
      long said = Zstd.getFrameContentSize(compressed);
      if (said > 0 && said != length) {
        throw new IllegalArgumentException("a compressed buffer has an impossible length");
      }
      byte[] plain = new byte[length];
      long written = Zstd.decompressByteArray(plain, 0, length, compressed, 0, compressed.length);
      if (written != length) {
        throw new IllegalArgumentException("a compressed buffer is damaged");
      }
      return plain;
    }
    if (length / Lz4Frame.RATIO_LIMIT > compressed.length) {
      throw new IllegalArgumentException("a compressed buffer has an impossible length");
    }
    byte[] plain = new byte[length];
    lz4.decompress(compressed, plain);
    return plain;
  }

  private ArrowBuf copy(byte[] bytes, int from, int length) {
    if (length == 0) {
      return allocator.getEmpty();
    }
    ArrowBuf buffer = allocator.buffer(length);
    buffer.setBytes(0, bytes, from, length);
    buffer.writerIndex(length);
    return buffer;
  }

  @Override
  public long bytesRead() {
    return 0;
  }

  @Override
  protected void closeReadSource() {}

  @Override
  protected Schema readSchema() throws IOException {
    return MessageSerializer.deserializeSchema(
        new ReadChannel(Channels.newChannel(new ByteArrayInputStream(schemaMessage))));
  }
}
