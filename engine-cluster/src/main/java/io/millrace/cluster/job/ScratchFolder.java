package io.millrace.cluster.job;

import io.millrace.core.config.Configuration;
import io.millrace.core.config.Settings;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * A folder for the files of one process, named after it. Folders that processes left behind when
 * they were killed are removed by the next that starts in the same place.
 */
final class ScratchFolder implements AutoCloseable {
  private static final String PREFIX = "millrace-";

  private final Path path;

  private ScratchFolder(Path path) {
    this.path = path;
  }

  /** A new folder below the one that {@code spill.directory} names. */
  static ScratchFolder create(String role, Configuration configuration) {
    String setting = configuration.value(Settings.SPILL_DIRECTORY);
    Path parent = Path.of(setting.isEmpty() ? System.getProperty("java.io.tmpdir") : setting);
    try {
      Files.createDirectories(parent);
      removeLeftBehind(parent);
      String prefix = PREFIX + role + "-" + ProcessHandle.current().pid() + "-";
      return new ScratchFolder(Files.createTempDirectory(parent, prefix));
    } catch (IOException failure) {
      throw new MillraceException(
          ErrorCode.IO_FAILED,
          "Cannot make a folder for temporary files; set spill.directory to a writable one: "
              + parent,
          failure);
    }
  }

  Path path() {
    return path;
  }

  private static void removeLeftBehind(Path parent) {
    try (Stream<Path> entries = Files.list(parent)) {
      entries
          .filter(entry -> entry.getFileName().toString().startsWith(PREFIX))
          .filter(entry -> !ownerLives(entry.getFileName().toString()))
          .toList()
          .forEach(ScratchFolder::remove);
    } catch (IOException notListed) {
      // Another process may remove the same; nothing depends on it.
    }
  }

  /** The second part of the name after the prefix is the owner's process id. */
  private static boolean ownerLives(String name) {
    String[] parts = name.substring(PREFIX.length()).split("-");
    if (parts.length < 3 || !parts[1].chars().allMatch(Character::isDigit)) {
      return true;
    }
    return ProcessHandle.of(Long.parseLong(parts[1])).map(ProcessHandle::isAlive).orElse(false);
  }

  private static void remove(Path folder) {
    try (Stream<Path> left = Files.walk(folder)) {
      for (Path entry : left.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(entry);
      }
    } catch (IOException notRemoved) {
      // Tried again by the next process.
    }
  }

  @Override
  public void close() {
    remove(path);
  }
}
