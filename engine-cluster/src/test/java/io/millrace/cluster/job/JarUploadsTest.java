package io.millrace.cluster.job;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class JarUploadsTest {
  private static final byte[] CONTENT = {1, 2, 3, 4};

  @TempDir private Path folder;

  private final AtomicLong clock = new AtomicLong();

  private String hash() throws IOException {
    return JarStore.hash(Files.write(folder.resolve("source"), CONTENT));
  }

  private JarUploads uploads(JarStore store) {
    return new JarUploads(store, clock::get);
  }

  private static JarPiece piece(String upload, String hash, boolean last, byte... bytes) {
    return new JarPiece(upload, hash, last, bytes);
  }

  private long storedFiles() throws IOException {
    Path jars = folder.resolve("jars");
    if (!Files.exists(jars)) {
      return 0;
    }
    try (Stream<Path> files = Files.list(jars)) {
      return files.count();
    }
  }

  @Test
  void piecesBecomeAJar() throws IOException {
    JarStore store = new JarStore(folder.resolve("jars"));
    try (JarUploads uploads = uploads(store)) {
      String hash = hash();
      uploads.accept(piece("a", hash, false, (byte) 1, (byte) 2));
      assertFalse(store.has(hash));
      uploads.accept(piece("a", hash, true, (byte) 3, (byte) 4));
      assertTrue(store.has(hash));
      assertArrayEquals(CONTENT, Files.readAllBytes(store.path(hash)));
      assertEquals(0, uploads.count());
      assertEquals(1, storedFiles());
    }
  }

  @Test
  void anUploadWhoseClientFellSilentIsDropped() throws IOException {
    try (JarUploads uploads = uploads(new JarStore(folder.resolve("jars")))) {
      String hash = hash();
      uploads.accept(piece("left", hash, false, (byte) 1));
      clock.addAndGet(JarUploads.SILENCE_MILLIS + 1);
      uploads.accept(piece("other", hash, false, (byte) 1));
      assertEquals(1, uploads.count());
      assertEquals(1, storedFiles());
    }
    assertEquals(0, storedFiles());
  }

  @Test
  void thereAreNeverMoreThanAFew() throws IOException {
    try (JarUploads uploads = uploads(new JarStore(folder.resolve("jars")))) {
      String hash = hash();
      for (int number = 0; number < JarUploads.UPLOADS_LIMIT; number++) {
        uploads.accept(piece("upload " + number, hash, false, (byte) 1));
      }
      MillraceException full =
          assertThrows(
              MillraceException.class,
              () -> uploads.accept(piece("one more", hash, false, (byte) 1)));
      assertEquals(ErrorCode.DISK_EXHAUSTED, full.code());
      assertEquals(JarUploads.UPLOADS_LIMIT, uploads.count());
    }
  }

  @Test
  void aDamagedJarLeavesNothing() throws IOException {
    JarStore store = new JarStore(folder.resolve("jars"));
    try (JarUploads uploads = uploads(store)) {
      String hash = hash();
      assertThrows(MillraceException.class, () -> uploads.accept(piece("a", hash, true, (byte) 9)));
      assertEquals(0, uploads.count());
      assertEquals(0, storedFiles());
      assertFalse(store.has(hash));
    }
  }
}
