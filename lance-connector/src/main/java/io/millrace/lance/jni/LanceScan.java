package io.millrace.lance.jni;

import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.DictionaryProvider;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.lance.ipc.LanceScanner;
import org.lance.ipc.ScanStats;

/** A running scan. Used by one thread at a time; {@link #advance} blocks on reads. */
public final class LanceScan implements AutoCloseable {
  private final LanceScanner scanner;
  private final ArrowReader reader;
  private final LanceLocation location;
  private boolean closed;

  LanceScan(LanceScanner scanner, ArrowReader reader, LanceLocation location) {
    this.scanner = scanner;
    this.reader = reader;
    this.location = location;
  }

  /** Reads the next batch into {@link #root}; false at the end. */
  public boolean advance() {
    try {
      return reader.loadNextBatch();
    } catch (Throwable failure) {
      throw LanceFailure.of(failure, "scan it", location);
    }
  }

  /**
   * The current batch; its buffers may be retained, the vectors are filled anew by each advance.
   */
  public VectorSchemaRoot root() {
    try {
      return reader.getVectorSchemaRoot();
    } catch (Throwable failure) {
      throw LanceFailure.of(failure, "scan it", location);
    }
  }

  /** The dictionaries that encoded vectors of the current batch refer to. */
  public DictionaryProvider dictionaries() {
    return reader;
  }

  /** Bytes read from the store, known once the scan has reached its end; 0 before. */
  public long bytesRead() {
    return scanner.getStats().map(ScanStats::getBytesRead).orElse(0L);
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    try {
      try {
        reader.close();
      } finally {
        scanner.close();
      }
    } catch (Exception failure) {
      throw LanceFailure.of(failure, "end a scan", location);
    }
  }
}
