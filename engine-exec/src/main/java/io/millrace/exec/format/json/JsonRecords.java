package io.millrace.exec.format.json;

import java.io.IOException;

/** Finds the bytes of objects in chunks of a file. Used by one thread at a time. */
interface JsonRecords {

  /** Adds bytes that follow those before; owns them. */
  void accept(byte[] bytes, int length, boolean last);

  /**
   * Moves to the next record that is not blank; false when it needs more bytes, or at the end.
   *
   * @throws IOException when there is something else than records
   */
  boolean next() throws IOException;

  /** Holds the record from {@link #start} to {@link #end}, until the next call of next. */
  byte[] bytes();

  int start();

  int end();

  /** Bytes from the start of the split to the record, or to where it should be. */
  long offset();
}
