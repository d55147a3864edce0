package io.millrace.core.spi;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/** Random access to the bytes of one object. Safe for use by several threads; calls may block. */
public interface ByteSource extends AutoCloseable {

  long sizeBytes() throws IOException;

  /** The store's mark of the content that was opened, where it has one. */
  default Optional<String> etag() {
    return Optional.empty();
  }

  /** Fills the buffer's remaining space from the offset; fails when the object is shorter. */
  void readFully(long offset, ByteBuffer target) throws IOException;

  @Override
  void close() throws IOException;
}
