package io.millrace.cluster.cli.output;

import java.io.OutputStream;
import org.apache.arrow.memory.BufferAllocator;

/** The forms in which results can be printed. */
public enum OutputFormat {
  /** Aligned columns for people. */
  TABLE,
  /** RFC 4180 quoting with a header; lines end with LF. */
  CSV,
  /** One object a line. */
  JSON,
  /** Arrow's IPC stream format, one stream a result. */
  ARROW;

  /**
   * A writer to the stream, which stays the caller's.
   *
   * @param allocator of the batches' root, for what must be rearranged
   */
  public ResultWriter writer(OutputStream out, BufferAllocator allocator) {
    return switch (this) {
      case TABLE -> new TableWriter(out);
      case CSV -> new CsvWriter(out);
      case JSON -> new JsonWriter(out);
      case ARROW -> new ArrowWriter(out, allocator);
    };
  }
}
