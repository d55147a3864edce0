package io.millrace.core.spi;

import java.util.List;

/**
 * A write in progress. The driver calls {@code begin} once before any task, then {@code commit} or
 * {@code abort} once; every task attempt opens a writer of its own. Readers see nothing before the
 * commit and all of it after. Calls may block; off operator threads.
 */
public interface TableSink extends AutoCloseable {

  /**
   * Checks the target and prepares it, on the driver.
   *
   * @throws io.millrace.core.error.MillraceException TABLE_EXISTS, SCHEMA_MISMATCH …
   */
  void begin();

  /** A writer for one task attempt, on a worker. */
  BatchWriter openWriter(String attemptId);

  /** Makes the fragments visible, on the driver. */
  void commit(List<byte[]> fragments);

  /** Removes what the write left, on the driver; also fragments that were not reported. */
  void abort();

  @Override
  void close();
}
