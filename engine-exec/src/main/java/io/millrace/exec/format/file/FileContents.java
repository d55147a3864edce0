package io.millrace.exec.format.file;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.spi.ByteSource;
import io.millrace.core.spi.ObjectStore;
import io.millrace.core.spi.ObjectStore.ObjectStatus;
import io.millrace.core.spi.ObjectStores;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;

/** Reads whole files that a listing pinned. Blocks. */
final class FileContents {
  /** DESIGN: a larger value stays a file. */
  private static final long MOST_BYTES = 1L << 30;

  private final ObjectStores stores;

  FileContents(ObjectStores stores) {
    this.stores = stores;
  }

  /**
   * The content.
   *
   * @throws MillraceException SOURCE_CHANGED when it is not what was listed, VALUE_TOO_LARGE,
   *     IO_FAILED
   */
  byte[] read(PinnedFile file) {
    if (file.sizeBytes() > MOST_BYTES) {
      throw new MillraceException(
          ErrorCode.VALUE_TOO_LARGE,
          "A file is too large to be one value: "
              + file.path()
              + ", "
              + file.sizeBytes()
              + " bytes of "
              + MOST_BYTES);
    }
    ObjectStore store = stores.of(file.uri());
    try {
      Optional<ObjectStatus> now = store.status(file.uri());
      if (now.isEmpty() || !file.isStill(now.get())) {
        throw new MillraceException(
            ErrorCode.SOURCE_CHANGED,
            "A file changed or vanished after the query listed it; run the query again: "
                + file.path());
      }
      byte[] bytes = new byte[(int) file.sizeBytes()];
      try (ByteSource source = store.open(file.uri())) {
        source.readFully(0, ByteBuffer.wrap(bytes));
      }
      return bytes;
    } catch (IOException e) {
      throw new MillraceException(
          ErrorCode.IO_FAILED, "A file could not be read: " + file.path() + ": " + e, e);
    }
  }
}
