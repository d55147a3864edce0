package io.millrace.lance.jni;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.lance.JniLoader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads Lance's native library without leaving it behind. The loader extracts 181 MB into the
 * temporary folder of every process and removes the file only when the process ends in good order;
 * after an abort it would stay for good.
 */
final class NativeLibrary {
  private static final Logger LOG = LoggerFactory.getLogger(NativeLibrary.class);
  private static final String NAME_GLOB = "liblance_jni*.{so,dylib}";
  private static final Path MAPPED_FILES = Path.of("/proc/self/maps");

  /** A file this old is not one that another process has extracted but not yet mapped. */
  static final Duration SWEEP_AGE = Duration.ofMinutes(10);

  private NativeLibrary() {}

  /** Loads the library, removes its extracted file, and sweeps those that dead processes left. */
  static void load() {
    JniLoader.ensureLoaded();
    removeMappedFile();
    sweep(Path.of(System.getProperty("java.io.tmpdir")), SWEEP_AGE);
  }

  /**
   * Unlinks the file that this process has mapped: the mapping stays, the disk space is given back.
   */
  private static void removeMappedFile() {
    if (!Files.isReadable(MAPPED_FILES)) {
      return; // No such view outside Linux; there the loader's own removal at exit has to do.
    }
    try {
      List<String> lines = Files.readAllLines(MAPPED_FILES);
      for (String line : lines) {
        int start = line.indexOf('/');
        if (start >= 0 && line.contains("/liblance_jni") && line.endsWith(".so")) {
          Files.deleteIfExists(Path.of(line.substring(start)));
        }
      }
    } catch (IOException failure) {
      LOG.debug("The extracted native library of Lance stays until the process ends", failure);
    }
  }

  /**
   * Removes extracted libraries in the folder that were last written longer ago than {@code age}.
   */
  static void sweep(Path folder, Duration age) {
    Instant newest = Instant.now().minus(age);
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, NAME_GLOB)) {
      for (Path file : files) {
        if (Files.getLastModifiedTime(file).toInstant().isBefore(newest)) {
          // A living process that still maps the file keeps its mapping.
          Files.deleteIfExists(file);
        }
      }
    } catch (IOException failure) {
      LOG.debug("Left-over native libraries of Lance could not be swept from {}", folder, failure);
    }
  }
}
