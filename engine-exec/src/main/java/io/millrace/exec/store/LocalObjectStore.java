package io.millrace.exec.store;

import io.millrace.core.spi.ByteSource;
import io.millrace.core.spi.ObjectStore;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * Files of this machine, by path or {@code file:} URI. The etag of a file is its size, modification
 * time and file key, so that a replaced file is noticed.
 */
public final class LocalObjectStore implements ObjectStore {

  /** The path that a URI or path text names. */
  static Path path(String uri) {
    return Path.of(plainPath(uri));
  }

  /** A path without {@code file:}, which may be a pattern; other URIs stay as they are. */
  public static String plainPath(String uri) {
    if (!uri.startsWith("file:")) {
      return uri;
    }
    String path = uri.substring("file:".length());
    String local = path.startsWith("//") ? path.substring(path.indexOf('/', 2)) : path;
    // Percent codes are those of URIs; a plus sign is none.
    return local.indexOf('%') < 0
        ? local
        : URLDecoder.decode(local.replace("+", "%2B"), StandardCharsets.UTF_8);
  }

  @Override
  public Optional<ObjectStatus> status(String uri) throws IOException {
    try {
      BasicFileAttributes attributes = Files.readAttributes(path(uri), BasicFileAttributes.class);
      return attributes.isDirectory() ? Optional.empty() : Optional.of(status(uri, attributes));
    } catch (NoSuchFileException absent) {
      return Optional.empty();
    }
  }

  private static ObjectStatus status(String uri, BasicFileAttributes attributes) {
    String etag =
        attributes.size()
            + "-"
            + attributes.lastModifiedTime().toInstant()
            + "-"
            + attributes.fileKey();
    return new ObjectStatus(
        uri, attributes.size(), attributes.lastModifiedTime().toMillis(), Optional.of(etag));
  }

  @Override
  public boolean isDirectory(String uri) {
    return Files.isDirectory(path(uri));
  }

  @Override
  public List<ObjectStatus> list(String uri) throws IOException {
    Path root = path(uri);
    if (!Files.isDirectory(root)) {
      return List.of();
    }
    try (Stream<Path> paths = Files.walk(root, FileVisitOption.FOLLOW_LINKS)) {
      return paths
          .filter(Files::isRegularFile)
          .sorted(Comparator.comparing(Path::toString))
          .flatMap(LocalObjectStore::statusIfPresent)
          .toList();
    } catch (UncheckedIOException problem) {
      throw problem.getCause();
    }
  }

  /** A file may vanish between the listing and the look at it. */
  private static Stream<ObjectStatus> statusIfPresent(Path file) {
    try {
      return Stream.of(
          status(file.toString(), Files.readAttributes(file, BasicFileAttributes.class)));
    } catch (NoSuchFileException vanished) {
      return Stream.empty();
    } catch (IOException problem) {
      throw new UncheckedIOException(problem);
    }
  }

  @Override
  public ByteSource open(String uri) throws IOException {
    return new LocalByteSource(FileChannel.open(path(uri), StandardOpenOption.READ));
  }

  @Override
  public OutputStream create(String uri) throws IOException {
    Path target = path(uri).toAbsolutePath();
    Files.createDirectories(target.getParent());
    Path temporary =
        target.resolveSibling("." + target.getFileName() + "." + UUID.randomUUID() + ".part");
    return new AtomicFileOutput(temporary, target);
  }

  @Override
  public void move(String fromUri, String toUri) throws IOException {
    Path target = path(toUri).toAbsolutePath();
    Files.createDirectories(target.getParent());
    Files.move(
        path(fromUri), target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  @Override
  public boolean movesFoldersAtOnce() {
    return true;
  }

  @Override
  public void delete(String uri) throws IOException {
    Path root = path(uri);
    if (!Files.exists(root)) {
      return;
    }
    try (Stream<Path> paths = Files.walk(root)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    }
  }

  /** Positional reads of one file; threads do not disturb each other. */
  private static final class LocalByteSource implements ByteSource {
    private static final int READ_BYTES = 256 << 10;

    private final FileChannel channel;

    LocalByteSource(FileChannel channel) {
      this.channel = channel;
    }

    @Override
    public long sizeBytes() throws IOException {
      return channel.size();
    }

    @Override
    public void readFully(long offset, ByteBuffer target) throws IOException {
      long position = offset;
      int end = target.limit();
      while (target.position() < end) {
        // Heap buffers are filled through one outside of the heap as large as the request.
        target.limit(Math.min(end, target.position() + READ_BYTES));
        int count = channel.read(target, position);
        if (count < 0) {
          throw new EOFException("The file ends before the range that was asked for: " + position);
        }
        position += count;
      }
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }
}
