package io.millrace.exec.format.text;

import io.millrace.core.batch.Batch;

/** Turns the bytes of whole records into batches. Used by one thread at a time. */
public interface RecordDecoder extends AutoCloseable {

  /**
   * Adds bytes that follow those before.
   *
   * @param bytes owned by the decoder from now on; the first {@code length} count
   * @param last whether nothing follows
   */
  void accept(byte[] bytes, int length, boolean last);

  /**
   * The next rows, which the caller owns; null when it needs more bytes, or at the end.
   *
   * @throws RecordFault for what is no record
   */
  Batch next() throws RecordFault;

  @Override
  void close();
}
