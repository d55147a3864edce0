package io.millrace.cluster.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * The streams of a command.
 *
 * @param out rows and nothing else; throws {@link ClosedPipeException} when its reader has left
 * @param err progress, logs, counts and errors
 * @param in queries from a pipe
 */
record Terminal(OutputStream out, PrintStream err, InputStream in) {
  private static final int BUFFER_BYTES = 1 << 16;

  /** The streams of this process. */
  static Terminal ofProcess() {
    return new Terminal(
        new PipeStream(new FileOutputStream(FileDescriptor.out)),
        new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8),
        System.in);
  }

  /** Whether somebody looks at a screen and not a file or a program. */
  static boolean isInteractive() {
    return System.console() != null && System.console().isTerminal();
  }

  /** Gathers small writes; tells a closed pipe from other failures. */
  private static final class PipeStream extends OutputStream {
    private final OutputStream target;
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private int count;

    PipeStream(OutputStream target) {
      this.target = target;
    }

    @Override
    public void write(int value) {
      if (count == buffer.length) {
        flush();
      }
      buffer[count++] = (byte) value;
    }

    @Override
    public void write(byte[] bytes, int from, int length) {
      if (length > buffer.length - count) {
        flush();
      }
      if (length > buffer.length) {
        pass(bytes, from, length);
        return;
      }
      System.arraycopy(bytes, from, buffer, count, length);
      count += length;
    }

    @Override
    public void flush() {
      int length = count;
      count = 0;
      if (length > 0) {
        pass(buffer, 0, length);
      }
    }

    private void pass(byte[] bytes, int from, int length) {
      try {
        target.write(bytes, from, length);
      } catch (IOException failure) {
        throw new ClosedPipeException(failure);
      }
    }
  }
}
