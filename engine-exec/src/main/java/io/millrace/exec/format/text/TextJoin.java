package io.millrace.exec.format.text;

import io.millrace.core.spi.ByteSource;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.List;

/** Puts text files one after the other. */
public final class TextJoin {
  private static final int BUFFER_BYTES = 1 << 20;

  private TextJoin() {}

  /**
   * @param headerBytes bytes that each part begins with, kept only from the first
   */
  public static void join(List<ByteSource> parts, long headerBytes, OutputStream target)
      throws IOException {
    byte[] buffer = new byte[BUFFER_BYTES];
    long from = 0;
    for (ByteSource part : parts) {
      long size = part.sizeBytes();
      for (long at = from; at < size; ) {
        int count = (int) Math.min(buffer.length, size - at);
        part.readFully(at, ByteBuffer.wrap(buffer, 0, count));
        target.write(buffer, 0, count);
        at += count;
      }
      from = headerBytes;
    }
  }
}
