package io.millrace.cluster.job;

import io.millrace.cluster.shuffle.FrameSource;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** A jar in pieces. */
final class JarFrames implements FrameSource {
  private final Path jar;
  private InputStream input;
  private boolean closed;

  JarFrames(Path jar) {
    this.jar = jar;
  }

  @Override
  public synchronized Optional<byte[]> next() {
    if (closed) {
      return Optional.empty();
    }
    try {
      if (input == null) {
        input = Files.newInputStream(jar);
      }
      byte[] piece = input.readNBytes(JarStore.PIECE_BYTES);
      return piece.length == 0 ? Optional.empty() : Optional.of(piece);
    } catch (IOException failure) {
      throw JarStore.unreadable(jar, failure);
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (input != null) {
      try {
        input.close();
      } catch (IOException nothingToRelease) {
        // It was open for reading only.
      }
      input = null;
    }
  }
}
