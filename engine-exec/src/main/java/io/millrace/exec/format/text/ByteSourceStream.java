package io.millrace.exec.format.text;

import io.millrace.core.spi.ByteSource;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;

/** A range of a byte source as a stream; owns the source. Reads block. */
final class ByteSourceStream extends InputStream {
  private static final int BUFFER_BYTES = 256 << 10;

  private final ByteSource source;
  private final long end;
  private long position;
  private byte[] buffer = new byte[0];
  private int next;

  /**
   * @param start offset of the first byte
   * @param end offset after the last byte
   */
  ByteSourceStream(ByteSource source, long start, long end) {
    this.source = source;
    this.position = start;
    this.end = end;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
  }

  @Override
  public int read(byte[] target, int from, int count) throws IOException {
    if (count == 0) {
      return 0;
    }
    if (next < buffer.length) {
      int taken = Math.min(count, buffer.length - next);
      System.arraycopy(buffer, next, target, from, taken);
      next += taken;
      return taken;
    }
    if (position >= end) {
      return -1;
    }
    if (count >= BUFFER_BYTES) {
      int taken = (int) Math.min(count, end - position);
      source.readFully(position, ByteBuffer.wrap(target, from, taken));
      position += taken;
      return taken;
    }
    byte[] filled = new byte[(int) Math.min(BUFFER_BYTES, end - position)];
    source.readFully(position, ByteBuffer.wrap(filled));
    position += filled.length;
    buffer = filled;
    next = 0;
    return read(target, from, count);
  }

  @Override
  public void close() throws IOException {
    source.close();
  }
}
