package io.millrace.core.spi;

import io.millrace.core.batch.Batch;

/** Writes the rows of one task attempt. Calls may block; off operator threads, one at a time. */
public interface BatchWriter extends AutoCloseable {

  /** Writes a batch; owns it, also on error. */
  void write(Batch batch);

  /** Completes the files and describes them for the commit. */
  byte[] finish();

  /** Without a finish before: removes what was written. */
  @Override
  void close();
}
