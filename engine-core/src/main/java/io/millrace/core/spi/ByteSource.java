package io.millrace.core.spi;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Random access to the bytes of one object. Safe for use by several threads; calls may block. */
public interface ByteSource extends AutoCloseable {

  long sizeBytes() throws IOException;

  /** Fills the buffer's remaining space from the offset; fails when the object is shorter. */
  void readFully(long offset, ByteBuffer target) throws IOException;

  @Override
  void close() throws IOException;
}
