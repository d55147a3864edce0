package io.millrace.cluster.job;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Jars by the SHA-256 of their content, in a folder of this process. */
final class JarStore implements AutoCloseable {
  /** Jars travel in pieces of this size. */
  static final int PIECE_BYTES = 1 << 20;

  private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");

  private final Path directory;

  /** A store in a folder that is made on first need and removed on close. */
  JarStore(Path directory) {
    this.directory = directory;
  }

  /** SHA-256 (hex) of a file's content. */
  static String hash(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      byte[] piece = new byte[PIECE_BYTES];
      for (int count = in.read(piece); count >= 0; count = in.read(piece)) {
        digest.update(piece, 0, count);
      }
      return HexFormat.of().formatHex(digest.digest());
    } catch (IOException failure) {
      throw unreadable(file, failure);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  boolean has(String hash) {
    return Files.exists(path(hash));
  }

  /** Where a jar of this content lies or will lie. */
  Path path(String hash) {
    if (!HASH.matcher(hash).matches()) {
      throw new MillraceException(
          ErrorCode.INVALID_ARGUMENT, "A jar's hash is 64 hexadecimal digits: '" + hash + "'");
    }
    return directory.resolve(hash + ".jar");
  }

  /** Adds a jar whose pieces come in order from one source; checks its content. */
  Upload upload(String hash) {
    return new Upload(hash);
  }

  /** Copies a jar of this content into the store. */
  void add(String hash, Path jar) {
    try (Upload upload = upload(hash);
        JarFrames pieces = new JarFrames(jar)) {
      for (Optional<byte[]> piece = pieces.next(); piece.isPresent(); piece = pieces.next()) {
        upload.append(piece.get());
      }
      upload.finish();
    }
  }

  static MillraceException unreadable(Path jar, IOException failure) {
    return new MillraceException(
        ErrorCode.FILE_NOT_FOUND, "Cannot read the jar; check its path: " + jar, failure);
  }

  /** A jar on its way into the store. */
  final class Upload implements AutoCloseable {
    private final String hash;
    private final Path target;
    private final Path partial;
    private FileChannel channel;

    private Upload(String hash) {
      this.hash = hash;
      this.target = path(hash);
      this.partial = directory.resolve(hash + "." + System.nanoTime() + ".part");
    }

    void append(byte[] piece) {
      try {
        if (channel == null) {
          Files.createDirectories(directory);
          channel =
              FileChannel.open(partial, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        }
        ByteBuffer source = ByteBuffer.wrap(piece);
        while (source.hasRemaining()) {
          channel.write(source);
        }
      } catch (IOException failure) {
        throw notStored(failure);
      }
    }

    /** Checks the content and makes the jar known under its hash. */
    Path finish() {
      try {
        append(new byte[0]);
        channel.close();
        if (!hash(partial).equals(hash)) {
          throw new MillraceException(
              ErrorCode.IO_FAILED, "A jar was damaged on its way; send it again: " + hash);
        }
        Files.move(partial, target, StandardCopyOption.ATOMIC_MOVE);
        return target;
      } catch (IOException failure) {
        throw notStored(failure);
      }
    }

    private MillraceException notStored(IOException failure) {
      return new MillraceException(
          ErrorCode.DISK_EXHAUSTED, "Cannot store a jar; free some space: " + partial, failure);
    }

    @Override
    public void close() {
      try {
        if (channel != null) {
          channel.close();
        }
        Files.deleteIfExists(partial);
      } catch (IOException leftToStore) {
        // The store removes its folder.
      }
    }
  }

  @Override
  public void close() {
    if (!Files.exists(directory)) {
      return;
    }
    try (Stream<Path> left = Files.walk(directory)) {
      for (Path path : left.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    } catch (IOException notRemoved) {
      // A folder below the temporary one; the system cleans up.
    }
  }
}
