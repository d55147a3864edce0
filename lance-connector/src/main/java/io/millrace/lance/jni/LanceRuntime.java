package io.millrace.lance.jni;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.error.NearestNames;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.apache.arrow.memory.BufferAllocator;
import org.lance.Dataset;
import org.lance.ReadOptions;
import org.lance.Session;
import org.lance.Tag;

/**
 * The native library as one process uses it: loaded on first use, with caches that all datasets
 * opened through it share. Thread-safe. Closing frees the caches; datasets that are still open stay
 * usable.
 */
public final class LanceRuntime implements AutoCloseable {
  private final long indexCacheBytes;
  private final long metadataCacheBytes;
  private Session session;
  private boolean closed;

  /**
   * @param indexCacheBytes limit of the cache of index pages; the library's own default is 6 GiB
   * @param metadataCacheBytes limit of the cache of manifests and file metadata; else 1 GiB
   */
  public LanceRuntime(long indexCacheBytes, long metadataCacheBytes) {
    this.indexCacheBytes = indexCacheBytes;
    this.metadataCacheBytes = metadataCacheBytes;
  }

  /**
   * Opens a dataset for planning: at the given version, else at its newest.
   *
   * @param allocator charged for what the dataset's takes return; must outlive the dataset
   * @throws MillraceException FILE_NOT_FOUND, INVALID_FILE when the folder is no Lance table,
   *     UNKNOWN_VERSION, UNSUPPORTED_FORMAT, UNSUPPORTED_TYPE
   */
  public LanceDataset open(
      LanceLocation location, OptionalLong version, BufferAllocator allocator) {
    requireTable(location);
    Dataset dataset;
    try {
      dataset = openNative(location, version, allocator);
    } catch (Throwable failure) {
      MillraceException known = LanceFailure.of(failure, "open it", location);
      if (known.code() != ErrorCode.SOURCE_CHANGED) {
        throw known;
      }
      throw version.isPresent()
          ? new MillraceException(
              ErrorCode.UNKNOWN_VERSION,
              "This Lance table has no such version: " + version.getAsLong() + " of " + location,
              failure)
          : missing(location);
    }
    return LanceDataset.guarded(dataset, location, allocator);
  }

  /**
   * Opens a dataset at the version a tag names.
   *
   * @throws MillraceException UNKNOWN_VERSION naming the nearest tags; else as {@link #open}
   */
  public LanceDataset openTag(LanceLocation location, String tag, BufferAllocator allocator) {
    try (LanceDataset newest = open(location, OptionalLong.empty(), allocator)) {
      Map<String, Long> versions =
          newest.handle().tags().list().stream()
              .collect(Collectors.toMap(Tag::getName, Tag::getVersion));
      if (!versions.containsKey(tag)) {
        throw new MillraceException(
            ErrorCode.UNKNOWN_VERSION,
            "This Lance table has no such tag: '"
                + tag
                + "' of "
                + location
                + NearestNames.hint(tag, versions.keySet()));
      }
      return openPinned(location, versions.get(tag), allocator);
    }
  }

  /**
   * Opens a dataset at the version a plan has pinned.
   *
   * @param allocator charged for what the dataset's takes return; must outlive the dataset
   * @throws MillraceException SOURCE_CHANGED when the version is gone; else as {@link #open}
   */
  public LanceDataset openPinned(LanceLocation location, long version, BufferAllocator allocator) {
    try {
      return LanceDataset.guarded(
          openNative(location, OptionalLong.of(version), allocator), location, allocator);
    } catch (Throwable failure) {
      throw LanceFailure.of(failure, "open version " + version, location);
    }
  }

  /** Opens the newest version, or gives empty when there is no dataset at this location. */
  public Optional<LanceDataset> openIfExists(LanceLocation location, BufferAllocator allocator) {
    Optional<Path> folder = location.localFolder();
    if (folder.isPresent() && !Files.isDirectory(folder.get().resolve("_versions"))) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          LanceDataset.guarded(
              openNative(location, OptionalLong.empty(), allocator), location, allocator));
    } catch (Throwable failure) {
      if (!(failure instanceof MillraceException)
          && LanceFailure.isMissing(LanceFailure.text(failure))) {
        return Optional.empty();
      }
      throw LanceFailure.of(failure, "open it", location);
    }
  }

  private Dataset openNative(
      LanceLocation location, OptionalLong version, BufferAllocator allocator) {
    ReadOptions.Builder options = new ReadOptions.Builder();
    version.ifPresent(options::setVersion);
    if (!location.storageOptions().isEmpty()) {
      options.setStorageOptions(location.storageOptions());
    }
    return Dataset.open()
        .allocator(allocator)
        .uri(location.uri())
        .session(session())
        .readOptions(options.build())
        .build();
  }

  synchronized Session session() {
    if (closed) {
      throw new IllegalStateException("The Lance runtime is closed");
    }
    if (session == null) {
      try {
        NativeLibrary.load();
      } catch (LinkageError failure) {
        throw LanceFailure.of(failure, "load the native library", LanceLocation.of("lance"));
      }
      session =
          Session.builder()
              .indexCacheSizeBytes(indexCacheBytes)
              .metadataCacheSizeBytes(metadataCacheBytes)
              .build();
    }
    return session;
  }

  private static void requireTable(LanceLocation location) {
    Path folder = location.localFolder().orElse(null);
    if (folder == null || Files.isDirectory(folder.resolve("_versions"))) {
      return;
    }
    if (!Files.exists(folder)) {
      throw missing(location);
    }
    throw new MillraceException(
        ErrorCode.INVALID_FILE,
        "This is no Lance table: it has no folder '_versions'. " + location);
  }

  private static MillraceException missing(LanceLocation location) {
    return new MillraceException(
        ErrorCode.FILE_NOT_FOUND, "There is no Lance table at " + location);
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (session != null) {
      session.close();
      session = null;
    }
  }
}
