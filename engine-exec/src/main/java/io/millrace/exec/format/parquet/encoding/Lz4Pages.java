package io.millrace.exec.format.parquet.encoding;

import io.airlift.compress.MalformedInputException;
import io.airlift.compress.lz4.Lz4Decompressor;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Pages compressed with LZ4: plain blocks, and blocks behind Hadoop's lengths. */
final class Lz4Pages {
  private static final int LENGTHS_BYTES = 8;

  private Lz4Pages() {}

  /**
   * @param end position in the target after which nothing is written
   * @return bytes written
   */
  static int raw(byte[] data, int from, int count, byte[] target, int at, int end)
      throws IOException {
    try {
      return new Lz4Decompressor().decompress(data, from, count, target, at, end - at);
    } catch (MalformedInputException | IllegalArgumentException problem) {
      throw new IOException("an LZ4 block is damaged", problem);
    }
  }

  /**
   * Blocks that each follow their plain and compressed length, big-endian; some writers of the same
   * codec left the lengths out.
   *
   * @return bytes written
   */
  static int framed(byte[] data, int from, int count, byte[] target, int size) throws IOException {
    ByteBuffer input = ByteBuffer.wrap(data, from, count);
    int written = 0;
    while (input.remaining() >= LENGTHS_BYTES) {
      int plain = input.getInt();
      int compressed = input.getInt();
      if (plain < 0 || plain > size - written || compressed < 0 || compressed > input.remaining()) {
        return raw(data, from, count, target, 0, size);
      }
      int found = raw(data, input.position(), compressed, target, written, size);
      if (found != plain) {
        throw new IOException("an LZ4 block of another size than it says");
      }
      written += plain;
      input.position(input.position() + compressed);
    }
    return written;
  }
}
