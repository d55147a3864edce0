package io.millrace.cluster.cli.output;

import io.millrace.core.batch.Batch;
import io.millrace.core.type.Schema;
import java.io.IOException;

/**
 * Prints the results of one command, one after the other. For each: begin, any number of writes,
 * end. The stream it prints to belongs to the caller, who flushes it.
 */
public interface ResultWriter {

  /** A result with these columns follows. */
  void begin(Schema schema) throws IOException;

  /** Prints the batch's rows; the batch stays the caller's. */
  void write(Batch batch) throws IOException;

  /** No more rows of this result. */
  void end() throws IOException;
}
