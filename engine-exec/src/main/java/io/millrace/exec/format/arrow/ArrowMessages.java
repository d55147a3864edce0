package io.millrace.exec.format.arrow;

import io.millrace.core.spi.ByteSource;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.flatbuf.Buffer;
import org.apache.arrow.flatbuf.DictionaryBatch;
import org.apache.arrow.flatbuf.Message;
import org.apache.arrow.flatbuf.MessageHeader;
import org.apache.arrow.flatbuf.RecordBatch;

/**
 * Reads the messages of a split: for each record batch its bytes, with all that must be known
 * before it. Lengths that make no sense are refused before anything is allocated by them. Calls
 * block.
 */
final class ArrowMessages {
  /** A buffer that claims more when it is decompressed is refused. */
  private static final long PLAIN_LIMIT_BYTES = Integer.MAX_VALUE;

  /** The mark of the end of a stream. */
  private static final int END_BYTES = 8;

  private final ArrowLayout layout;
  private final int end;
  private int next;
  private long position;
  private boolean begun;

  /**
   * @param from first record batch of a file
   * @param to record batch after the last; a stream is read whole
   */
  ArrowMessages(ArrowLayout layout, int from, int to) {
    this.layout = layout;
    this.next = from;
    this.end = to;
    this.position = layout.schemaBytes().length;
  }

  /** Messages up to the next record batch; empty at the end. */
  List<byte[]> next(ByteSource source) throws IOException {
    List<byte[]> messages = new ArrayList<>();
    if (!begun) {
      begun = true;
      messages.add(layout.schemaBytes());
      for (ArrowLayout.Extent dictionary : layout.dictionaries()) {
        messages.add(checked(source, dictionary));
      }
    }
    if (layout.isStream()) {
      return streamed(source, messages);
    }
    if (next >= end) {
      return List.of();
    }
    messages.add(checked(source, layout.batches().get(next++)));
    return messages;
  }

  private List<byte[]> streamed(ByteSource source, List<byte[]> messages) throws IOException {
    while (true) {
      long size = source.sizeBytes();
      int metadata = ArrowLayout.metadataBytes(source, position, size);
      if (metadata == 0) {
        if (size - position > END_BYTES) {
          throw new IOException("messages follow the end of the stream");
        }
        return List.of();
      }
      byte[] head = ArrowLayout.bytes(source, position, metadata);
      long length = metadata + message(head).bodyLength();
      if (length < metadata || length > Integer.MAX_VALUE - 8 || position + length > size) {
        throw new EOFException("a message goes on beyond the end of the file");
      }
      byte[] bytes = checked(source, new ArrowLayout.Extent(position, (int) length));
      position += length;
      messages.add(bytes);
      if (message(bytes).headerType() == MessageHeader.RecordBatch) {
        return messages;
      }
    }
  }

  private static Message message(byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    buffer.position(buffer.getInt(0) == -1 ? 8 : 4);
    return Message.getRootAsMessage(buffer.slice().order(ByteOrder.LITTLE_ENDIAN));
  }

  private static byte[] checked(ByteSource source, ArrowLayout.Extent extent) throws IOException {
    byte[] bytes = ArrowLayout.bytes(source, extent.offset(), extent.length());
    int metadata = ArrowLayout.metadataBytes(source, extent.offset(), source.sizeBytes());
    Message message = message(bytes);
    if (metadata == 0 || metadata + message.bodyLength() > bytes.length) {
      throw new IOException("a message has another length than the footer says");
    }
    RecordBatch batch =
        switch (message.headerType()) {
          case MessageHeader.RecordBatch -> (RecordBatch) message.header(new RecordBatch());
          case MessageHeader.DictionaryBatch ->
              ((DictionaryBatch) message.header(new DictionaryBatch())).data();
          default -> throw new IOException("a message is of an unknown kind");
        };
    check(batch, bytes, metadata, message.bodyLength());
    return bytes;
  }

  private static void check(RecordBatch batch, byte[] bytes, int bodyStart, long bodyLength)
      throws IOException {
    if (batch == null || batch.length() < 0 || batch.length() > Integer.MAX_VALUE) {
      throw new IOException("a record batch has an impossible length");
    }
    for (int index = 0; index < batch.nodesLength(); index++) {
      long length = batch.nodes(index).length();
      if (length < 0 || length > Integer.MAX_VALUE || batch.nodes(index).nullCount() > length) {
        throw new IOException("a column has an impossible length");
      }
    }
    boolean compressed = batch.compression() != null;
    ByteBuffer body = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    for (int index = 0; index < batch.buffersLength(); index++) {
      Buffer buffer = batch.buffers(index);
      if (buffer.offset() < 0
          || buffer.length() < 0
          || buffer.offset() > bodyLength - buffer.length()) {
        throw new IOException("a buffer goes on beyond its message");
      }
      if (compressed && buffer.length() > 0) {
        long plain = buffer.length() < 8 ? -2 : body.getLong(bodyStart + (int) buffer.offset());
        if (plain < -1 || plain > PLAIN_LIMIT_BYTES) {
          throw new IOException("a compressed buffer has an impossible length");
        }
      }
    }
  }
}
