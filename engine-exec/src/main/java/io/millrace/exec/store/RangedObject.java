package io.millrace.exec.store;

import io.millrace.core.spi.ByteSource;
import io.millrace.core.spi.ObjectStore.ObjectStatus;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/** An object that is read by ranges, each a request of its own; nothing stays open between them. */
abstract class RangedObject implements ByteSource {
  private final ObjectStatus status;

  /**
   * @param status of the object when it was opened
   */
  RangedObject(ObjectStatus status) {
    this.status = status;
  }

  final ObjectStatus status() {
    return status;
  }

  /** The bytes from the offset, exactly as many as asked for; they lie within the object. */
  abstract byte[] range(long offset, int length) throws IOException;

  @Override
  public long sizeBytes() {
    return status.sizeBytes();
  }

  @Override
  public Optional<String> etag() {
    return status.etag();
  }

  @Override
  public void readFully(long offset, ByteBuffer target) throws IOException {
    int length = target.remaining();
    if (length == 0) {
      return;
    }
    if (offset + length > status.sizeBytes()) {
      throw new EOFException("The object ends before the range that was asked for: " + offset);
    }
    target.put(range(offset, length));
  }

  @Override
  public void close() {}
}
