package io.millrace.exec.format.arrow;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.spi.ByteSource;
import io.millrace.core.type.ArrowTypes;
import io.millrace.core.type.Schema;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.flatbuf.Block;
import org.apache.arrow.flatbuf.Footer;
import org.apache.arrow.vector.ipc.ReadChannel;
import org.apache.arrow.vector.ipc.WriteChannel;
import org.apache.arrow.vector.ipc.message.MessageSerializer;

/**
 * Where the messages of an Arrow file lie.
 *
 * @param schemaBytes the message that holds the schema
 * @param schema the columns
 * @param dictionaries messages that dictionaries come in; empty for a stream
 * @param batches messages that rows come in; empty for a stream
 * @param isStream whether messages are only found one after the other
 */
record ArrowLayout(
    byte[] schemaBytes,
    Schema schema,
    List<Extent> dictionaries,
    List<Extent> batches,
    boolean isStream) {
  private static final byte[] MAGIC = "ARROW1".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] OLD_FEATHER = "FEA1".getBytes(StandardCharsets.US_ASCII);

  /** The magic bytes and their padding. */
  private static final int HEAD_BYTES = 8;

  private static final int TAIL_BYTES = 10;

  /** A message is held on the heap while it is decoded. */
  private static final long MESSAGE_LIMIT_BYTES = Integer.MAX_VALUE - 1024L;

  /** The mark of the end of the messages, and padding. */
  private static final long GAP_LIMIT_BYTES = 72;

  /** A message in the file. */
  record Extent(long offset, int length) {}

  /**
   * @param path for messages
   * @throws MillraceException INVALID_FILE, UNSUPPORTED_FORMAT, UNSUPPORTED_TYPE
   */
  static ArrowLayout read(ByteSource source, String path) throws IOException {
    try {
      long size = source.sizeBytes();
      byte[] head = bytes(source, 0, (int) Math.min(HEAD_BYTES, size));
      if (startsWith(head, OLD_FEATHER)) {
        throw new MillraceException(
            ErrorCode.UNSUPPORTED_FORMAT,
            "The file is of the first version of Feather; write it anew as Arrow IPC: '"
                + path
                + "'");
      }
      return startsWith(head, MAGIC) ? file(source, size) : stream(source, size);
    } catch (MillraceException problem) {
      throw problem;
    } catch (EOFException | RuntimeException problem) {
      throw damaged(path, problem);
    } catch (IOException problem) {
      // What the source throws is its own; the decoder's say that the message makes no sense.
      if (problem.getClass() == IOException.class) {
        throw damaged(path, problem);
      }
      throw problem;
    }
  }

  static MillraceException damaged(String path, Throwable problem) {
    return new MillraceException(
        ErrorCode.INVALID_FILE,
        "The file is no Arrow IPC file, or it is damaged: '"
            + path
            + "': "
            + String.valueOf(problem.getMessage()).lines().findFirst().orElse(""),
        problem);
  }

  private static boolean startsWith(byte[] bytes, byte[] start) {
    return bytes.length >= start.length
        && Arrays.equals(bytes, 0, start.length, start, 0, start.length);
  }

  static byte[] bytes(ByteSource source, long offset, int length) throws IOException {
    if (offset < 0 || length < 0 || offset + length > source.sizeBytes()) {
      throw new EOFException("a message goes on beyond the end of the file");
    }
    byte[] bytes = new byte[length];
    source.readFully(offset, ByteBuffer.wrap(bytes));
    return bytes;
  }

  private static ArrowLayout file(ByteSource source, long size) throws IOException {
    if (size < HEAD_BYTES + TAIL_BYTES) {
      throw new EOFException("the file is shorter than a footer");
    }
    byte[] tail = bytes(source, size - TAIL_BYTES, TAIL_BYTES);
    if (!Arrays.equals(tail, 4, TAIL_BYTES, MAGIC, 0, MAGIC.length)) {
      throw new IOException("the footer is missing");
    }
    int length = ByteBuffer.wrap(tail).order(ByteOrder.LITTLE_ENDIAN).getInt();
    if (length <= 0 || length > size - HEAD_BYTES - TAIL_BYTES) {
      throw new IOException("the footer has an impossible length");
    }
    long footerStart = size - TAIL_BYTES - length;
    byte[] footerBytes = bytes(source, footerStart, length);
    Footer footer =
        Footer.getRootAsFooter(ByteBuffer.wrap(footerBytes).order(ByteOrder.LITTLE_ENDIAN));
    List<Extent> dictionaries = new ArrayList<>();
    for (int index = 0; index < footer.dictionariesLength(); index++) {
      dictionaries.add(extent(footer.dictionaries(index), footerStart));
    }
    List<Extent> batches = new ArrayList<>();
    for (int index = 0; index < footer.recordBatchesLength(); index++) {
      batches.add(extent(footer.recordBatches(index), footerStart));
    }
    requireAll(dictionaries, batches, footerStart);
    // Not every writer puts the schema's message before the others too.
    ByteArrayOutputStream schemaBytes = new ByteArrayOutputStream();
    MessageSerializer.serialize(
        new WriteChannel(Channels.newChannel(schemaBytes)),
        org.apache.arrow.vector.types.pojo.Schema.convertSchema(footer.schema()));
    byte[] schema = schemaBytes.toByteArray();
    return new ArrowLayout(schema, schema(schema), dictionaries, batches, false);
  }

  /** A footer that lost a message would lose its rows without a trace. */
  private static void requireAll(List<Extent> dictionaries, List<Extent> batches, long end)
      throws IOException {
    long last = 0;
    for (Extent extent : batches) {
      last = Math.max(last, extent.offset() + extent.length());
    }
    for (Extent extent : dictionaries) {
      last = Math.max(last, extent.offset() + extent.length());
    }
    if (last > 0 && end - last > GAP_LIMIT_BYTES) {
      throw new IOException("there is a message that the footer does not name");
    }
  }

  private static Extent extent(Block block, long end) throws IOException {
    long length = block.metaDataLength() + block.bodyLength();
    if (block.offset() < HEAD_BYTES
        || block.metaDataLength() <= 0
        || block.bodyLength() < 0
        || length > MESSAGE_LIMIT_BYTES
        || block.offset() + length > end) {
      throw new IOException("a message has an impossible place or length");
    }
    return new Extent(block.offset(), (int) length);
  }

  private static ArrowLayout stream(ByteSource source, long size) throws IOException {
    byte[] schema = schemaMessage(source, 0, size);
    return new ArrowLayout(schema, schema(schema), List.of(), List.of(), true);
  }

  private static byte[] schemaMessage(ByteSource source, long offset, long end) throws IOException {
    int metadata = metadataBytes(source, offset, end);
    if (metadata == 0) {
      throw new IOException("there is no schema");
    }
    return bytes(source, offset, metadata);
  }

  /**
   * Bytes of a message without its body: 0 at the end of the messages.
   *
   * @param end of the file's messages
   */
  static int metadataBytes(ByteSource source, long offset, long end) throws IOException {
    if (end - offset < 4) {
      return 0;
    }
    ByteBuffer prefix =
        ByteBuffer.wrap(bytes(source, offset, (int) Math.min(8, end - offset)))
            .order(ByteOrder.LITTLE_ENDIAN);
    int first = prefix.getInt();
    int prefixBytes = first == -1 ? 8 : 4;
    if (first == -1 && prefix.remaining() < 4) {
      throw new EOFException("a message is cut off");
    }
    int length = first == -1 ? prefix.getInt() : first;
    if (length == 0) {
      return 0;
    }
    if (length < 0 || offset + prefixBytes + length > end) {
      throw new EOFException("a message goes on beyond the end of the file");
    }
    return prefixBytes + length;
  }

  private static Schema schema(byte[] message) throws IOException {
    return ArrowTypes.fromArrow(
        MessageSerializer.deserializeSchema(
            new ReadChannel(Channels.newChannel(new ByteArrayInputStream(message)))));
  }
}
