package io.millrace.exec.format.file;

import io.millrace.core.spi.ByteSource;
import io.millrace.core.spi.ObjectStore;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Local files, read only. */
final class FolderStore implements ObjectStore {
  @Override
  public Optional<ObjectStatus> status(String uri) throws IOException {
    return Files.isRegularFile(Path.of(uri)) ? Optional.of(of(Path.of(uri))) : Optional.empty();
  }

  private static ObjectStatus of(Path file) throws IOException {
    return new ObjectStatus(
        file.toString(),
        Files.size(file),
        Files.getLastModifiedTime(file).toMillis(),
        Optional.empty());
  }

  @Override
  public boolean isDirectory(String uri) {
    return Files.isDirectory(Path.of(uri));
  }

  @Override
  public List<ObjectStatus> list(String uri) throws IOException {
    List<Path> paths;
    try (Stream<Path> walk = Files.walk(Path.of(uri))) {
      paths = walk.filter(Files::isRegularFile).sorted().toList();
    }
    List<ObjectStatus> found = new java.util.ArrayList<>();
    for (Path path : paths) {
      found.add(of(path));
    }
    return found;
  }

  @Override
  public ByteSource open(String uri) throws IOException {
    FileChannel channel = FileChannel.open(Path.of(uri));
    return new ByteSource() {
      @Override
      public long sizeBytes() throws IOException {
        return channel.size();
      }

      @Override
      public void readFully(long offset, ByteBuffer target) throws IOException {
        long at = offset;
        while (target.hasRemaining()) {
          int count = channel.read(target, at);
          if (count < 0) {
            throw new EOFException("The file is shorter: " + uri);
          }
          at += count;
        }
      }

      @Override
      public void close() throws IOException {
        channel.close();
      }
    };
  }

  @Override
  public OutputStream create(String uri) {
    throw new UnsupportedOperationException(uri);
  }

  @Override
  public void move(String fromUri, String toUri) {
    throw new UnsupportedOperationException(fromUri);
  }

  @Override
  public void delete(String uri) {
    throw new UnsupportedOperationException(uri);
  }
}
