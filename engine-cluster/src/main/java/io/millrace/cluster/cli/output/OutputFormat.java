package io.millrace.cluster.cli.output;

import java.io.OutputStream;

/** The forms in which results can be printed. */
public enum OutputFormat {
  /** Aligned columns for people. */
  TABLE,
  /** RFC 4180 quoting with a header; lines end with LF. */
  CSV,
  /** One object a line. */
  JSON;

  /** A writer to the stream, which stays the caller's. */
  public ResultWriter writer(OutputStream out) {
    return switch (this) {
      case TABLE -> new TableWriter(out);
      case CSV -> new CsvWriter(out);
      case JSON -> new JsonWriter(out);
    };
  }
}
