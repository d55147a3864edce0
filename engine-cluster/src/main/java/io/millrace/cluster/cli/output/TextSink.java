package io.millrace.cluster.cli.output;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Gathers text and passes it on as UTF-8 in large pieces. */
final class TextSink {
  private static final int PIECE_CHARS = 1 << 16;

  private final OutputStream out;
  private final StringBuilder text = new StringBuilder();

  TextSink(OutputStream out) {
    this.out = out;
  }

  /** Where to append; call {@link #passOn} after each row. */
  StringBuilder text() {
    return text;
  }

  /** Writes what has gathered when it is enough. */
  void passOn() throws IOException {
    if (text.length() >= PIECE_CHARS) {
      flush();
    }
  }

  void flush() throws IOException {
    out.write(text.toString().getBytes(StandardCharsets.UTF_8));
    text.setLength(0);
  }
}
