package io.millrace.cluster.job;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Jars that are on their way from clients, a piece at a time. One whose client fell silent is
 * dropped once it has waited too long; there are never more than a few.
 */
final class JarUploads implements AutoCloseable {
  static final int UPLOADS_LIMIT = 32;
  static final long JAR_BYTES_LIMIT = 4L << 30;
  static final long SILENCE_MILLIS = 120_000;

  private final JarStore jars;
  private final LongSupplier clockMillis;
  private final Map<String, Pending> pending = new HashMap<>();

  private static final class Pending {
    private final JarStore.Upload upload;
    private long bytes;
    private long heardMillis;

    Pending(JarStore.Upload upload) {
      this.upload = upload;
    }
  }

  /**
   * @param clockMillis a clock that never goes back
   */
  JarUploads(JarStore jars, LongSupplier clockMillis) {
    this.jars = jars;
    this.clockMillis = clockMillis;
  }

  /**
   * Takes the next piece of a jar; with the last one it is in the store.
   *
   * @throws MillraceException DISK_EXHAUSTED when it or all together are too many, IO_FAILED when
   *     it was damaged
   */
  synchronized void accept(JarPiece piece) {
    dropSilent();
    Pending jar = pending.get(piece.upload());
    if (jar == null) {
      if (pending.size() >= UPLOADS_LIMIT) {
        throw new MillraceException(
            ErrorCode.DISK_EXHAUSTED,
            "The coordinator is taking too many jars at a time; submit again later: "
                + UPLOADS_LIMIT);
      }
      jar = new Pending(jars.upload(piece.hash()));
      pending.put(piece.upload(), jar);
    }
    boolean stays = false;
    try {
      jar.bytes += piece.bytes().length;
      jar.heardMillis = clockMillis.getAsLong();
      if (jar.bytes > JAR_BYTES_LIMIT) {
        throw new MillraceException(
            ErrorCode.DISK_EXHAUSTED, "A jar is too large for the coordinator: " + jar.bytes);
      }
      jar.upload.append(piece.bytes());
      if (piece.last()) {
        jar.upload.finish();
      }
      stays = !piece.last();
    } finally {
      if (!stays) {
        pending.remove(piece.upload());
        jar.upload.close();
      }
    }
  }

  private void dropSilent() {
    long now = clockMillis.getAsLong();
    for (Iterator<Pending> all = pending.values().iterator(); all.hasNext(); ) {
      Pending jar = all.next();
      if (now - jar.heardMillis > SILENCE_MILLIS) {
        jar.upload.close();
        all.remove();
      }
    }
  }

  /** Jars on their way. */
  synchronized int count() {
    return pending.size();
  }

  @Override
  public synchronized void close() {
    pending.values().forEach(jar -> jar.upload.close());
    pending.clear();
  }
}
