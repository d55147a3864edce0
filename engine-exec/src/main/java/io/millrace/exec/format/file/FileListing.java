package io.millrace.exec.format.file;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.spi.ObjectStore;
import io.millrace.core.spi.ObjectStore.ObjectStatus;
import io.millrace.core.spi.ObjectStores;
import io.millrace.exec.format.output.FileSink;
import io.millrace.exec.format.output.WriteJournal;
import io.millrace.exec.store.LocalObjectStore;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Finds the files that a pattern names: a file, a folder (everything below it), or a glob with
 * {@code *}, {@code **}, {@code ?}, {@code [a-z]} and {@code {a,b}}.
 */
public final class FileListing {
  private static final String WILDCARDS = "*?[{";

  private final ObjectStores stores;

  public FileListing(ObjectStores stores) {
    this.stores = stores;
  }

  /**
   * The files in name order.
   *
   * @throws MillraceException FILE_NOT_FOUND when there is none, IO_FAILED
   */
  public List<PinnedFile> list(String given) {
    String pattern = LocalObjectStore.plainPath(given);
    try {
      List<PinnedFile> files = hasWildcard(pattern) ? glob(pattern) : fileOrFolder(pattern);
      if (files.isEmpty()) {
        throw new MillraceException(
            ErrorCode.FILE_NOT_FOUND, "No file matches; check the path: '" + pattern + "'");
      }
      files.sort(Comparator.comparing(PinnedFile::path));
      return files;
    } catch (IOException e) {
      throw new MillraceException(
          ErrorCode.IO_FAILED, "Files could not be listed: '" + pattern + "': " + e, e);
    }
  }

  /**
   * The files with data that the patterns name, each pattern's in name order.
   *
   * @param kind what they hold, for the error: {@code Parquet}
   * @throws MillraceException FILE_NOT_FOUND when there is none, IO_FAILED
   */
  public List<PinnedFile> dataFiles(List<String> patterns, String kind) {
    List<PinnedFile> files = new ArrayList<>();
    for (String pattern : patterns) {
      files.addAll(list(pattern).stream().filter(PinnedFile::isData).toList());
    }
    if (files.isEmpty()) {
      throw new MillraceException(
          ErrorCode.FILE_NOT_FOUND, "The folder holds no " + kind + " file: " + patterns);
    }
    return files;
  }

  private List<PinnedFile> fileOrFolder(String path) throws IOException {
    String uri = absolute(path);
    ObjectStore store = stores.of(uri);
    if (store.isDirectory(uri)) {
      return below(stripSlash(path));
    }
    Optional<ObjectStatus> status = store.status(uri);
    List<PinnedFile> files = new ArrayList<>();
    status.ifPresent(found -> files.add(pinned(found, path)));
    return files;
  }

  private List<PinnedFile> glob(String pattern) throws IOException {
    int wildcard = 0;
    while (WILDCARDS.indexOf(pattern.charAt(wildcard)) < 0) {
      wildcard++;
    }
    int slash = pattern.lastIndexOf('/', wildcard);
    String folder = slash < 0 ? "." : slash == 0 ? "/" : pattern.substring(0, slash);
    String rest = pattern.substring(slash + 1);
    PathMatcher matcher = FileSystems.getDefault().getPathMatcher("glob:" + rest);
    List<PinnedFile> files = new ArrayList<>();
    for (PinnedFile file : below(folder)) {
      String relative =
          file.path().substring(folder.endsWith("/") ? folder.length() : folder.length() + 1);
      if (matcher.matches(Path.of(relative))) {
        files.add(slash < 0 ? renamed(file, relative) : file);
      }
    }
    return files;
  }

  /** All files under a folder; their paths start with the folder as it is written here. */
  private List<PinnedFile> below(String folder) throws IOException {
    String uri = absolute(folder);
    ObjectStore store = stores.of(uri);
    List<PinnedFile> files = new ArrayList<>();
    if (!store.isDirectory(uri)) {
      return files;
    }
    int prefix = stripSlash(uri).length();
    for (ObjectStatus status : WriteJournal.visible(store.list(uri))) {
      // What a write has not committed, or left behind when it was killed.
      if (status.uri().indexOf("/" + FileSink.PENDING_PREFIX, prefix) >= 0) {
        continue;
      }
      files.add(pinned(status, stripSlash(folder) + status.uri().substring(prefix)));
    }
    return files;
  }

  private static PinnedFile pinned(ObjectStatus status, String path) {
    return new PinnedFile(
        status.uri(), path, status.sizeBytes(), status.modifiedMillis(), status.etag());
  }

  private static PinnedFile renamed(PinnedFile file, String path) {
    return new PinnedFile(file.uri(), path, file.sizeBytes(), file.modifiedMillis(), file.etag());
  }

  private static boolean hasWildcard(String pattern) {
    // A question mark begins the query of a web address.
    if (pattern.startsWith("http://") || pattern.startsWith("https://")) {
      return false;
    }
    return pattern.chars().anyMatch(c -> WILDCARDS.indexOf(c) >= 0);
  }

  /** Local paths become absolute, because workers run in other folders. */
  private static String absolute(String path) {
    return path.contains("://") ? path : Path.of(path).toAbsolutePath().normalize().toString();
  }

  private static String stripSlash(String path) {
    return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
  }
}
