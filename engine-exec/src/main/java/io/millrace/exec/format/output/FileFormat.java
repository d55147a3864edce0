package io.millrace.exec.format.output;

import io.millrace.core.batch.Batch;
import io.millrace.core.spi.ByteSource;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/** How rows become the bytes of files. Safe for use by several threads; calls block. */
public interface FileFormat {

  /** Suffix of part files, with dot. */
  String suffix();

  /**
   * A writer of one whole file.
   *
   * @param stream stays the caller's, who closes it after {@link RowOutput#finish}
   */
  RowOutput open(OutputStream stream) throws IOException;

  /**
   * Writes one file that holds the rows of several, in their order.
   *
   * @param parts whole files of this format and schema, at least one; stay the caller's
   */
  void join(List<ByteSource> parts, OutputStream target) throws IOException;

  /** Writes the rows of one file. Not thread-safe. */
  interface RowOutput {

    /** Owns the batch, also on error. */
    void write(Batch batch) throws IOException;

    /** Writes what is still missing. */
    void finish() throws IOException;
  }
}
