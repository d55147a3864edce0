package io.millrace.lance;

import io.millrace.core.spi.ByteSource;
import io.millrace.core.spi.ObjectStore;
import io.millrace.core.spi.ObjectStores;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Local files as the one object store, as far as the connector uses it. */
final class LocalStores implements ObjectStores, ObjectStore {
  @Override
  public ObjectStore of(String uri) {
    return this;
  }

  @Override
  public Optional<ObjectStatus> status(String uri) throws IOException {
    Path file = Path.of(uri);
    return Files.isRegularFile(file)
        ? Optional.of(new ObjectStatus(uri, Files.size(file), 0, Optional.empty()))
        : Optional.empty();
  }

  @Override
  public boolean isDirectory(String uri) {
    return Files.isDirectory(Path.of(uri));
  }

  @Override
  public List<ObjectStatus> list(String uri) throws IOException {
    try (Stream<Path> files = Files.walk(Path.of(uri))) {
      List<String> names = files.filter(Files::isRegularFile).map(Path::toString).sorted().toList();
      List<ObjectStatus> found = new java.util.ArrayList<>();
      for (String name : names) {
        found.add(status(name).orElseThrow());
      }
      return found;
    }
  }

  @Override
  public ByteSource open(String uri) throws IOException {
    byte[] bytes = Files.readAllBytes(Path.of(uri));
    return new ByteSource() {
      @Override
      public long sizeBytes() {
        return bytes.length;
      }

      @Override
      public void readFully(long offset, ByteBuffer target) {
        target.put(bytes, Math.toIntExact(offset), target.remaining());
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public OutputStream create(String uri) throws IOException {
    Files.createDirectories(Path.of(uri).getParent());
    return Files.newOutputStream(Path.of(uri));
  }

  @Override
  public void move(String fromUri, String toUri) throws IOException {
    Files.move(Path.of(fromUri), Path.of(toUri), StandardCopyOption.REPLACE_EXISTING);
  }

  @Override
  public void delete(String uri) throws IOException {
    if (Files.exists(Path.of(uri))) {
      try (Stream<Path> files = Files.walk(Path.of(uri))) {
        files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
      }
    }
  }
}
