package io.millrace.exec.store;

import java.io.BufferedOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * Writes beside the target and moves the whole file there on close; a failed write leaves nothing.
 */
final class AtomicFileOutput extends FilterOutputStream {
  private final Path temporary;
  private final Path target;
  private boolean failed;
  private boolean closed;

  AtomicFileOutput(Path temporary, Path target) throws IOException {
    super(new BufferedOutputStream(Files.newOutputStream(temporary)));
    this.temporary = temporary;
    this.target = target;
  }

  @Override
  public void write(int value) throws IOException {
    try {
      out.write(value);
    } catch (IOException problem) {
      failed = true;
      throw problem;
    }
  }

  @Override
  public void write(byte[] bytes, int from, int count) throws IOException {
    try {
      out.write(bytes, from, count);
    } catch (IOException problem) {
      failed = true;
      throw problem;
    }
  }

  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    try {
      out.close();
      if (!failed) {
        Files.move(
            temporary, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      }
    } finally {
      Files.deleteIfExists(temporary);
    }
  }
}
