package io.millrace.lance.jni;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.arrow.memory.BufferAllocator;

/**
 * Stops a commit to a table that has an index this library cannot see. Newer writers make indexes
 * of kinds unknown here; the library leaves them out of the next version it commits without a word.
 */
public final class HiddenIndexGuard {
  private static final int VERSION_LIMIT = 100;

  private HiddenIndexGuard() {}

  /**
   * Compares the index folders on disk with the indexes that any version still names. Only local
   * tables can be looked into; for others nothing is checked.
   *
   * @throws MillraceException UNSUPPORTED_FORMAT when a folder belongs to no visible index
   */
  public static void check(LanceRuntime runtime, LanceDataset table, BufferAllocator allocator) {
    Set<String> unknown = indexFolders(table.location());
    unknown.removeAll(visibleIndexes(table));
    // A replaced or dropped index keeps its folder as long as an older version names it.
    long oldest = Math.max(1, table.version() - VERSION_LIMIT);
    for (long version = table.version() - 1; version >= oldest && !unknown.isEmpty(); version--) {
      try (LanceDataset older = runtime.openPinned(table.location(), version, allocator)) {
        unknown.removeAll(visibleIndexes(older));
      } catch (MillraceException failure) {
        if (failure.code() != ErrorCode.SOURCE_CHANGED) {
          throw failure;
        }
        break;
      }
    }
    if (!unknown.isEmpty()) {
      throw new MillraceException(
          ErrorCode.UNSUPPORTED_FORMAT,
          "This Lance table has an index of a kind that is unknown here, and writing to the table"
              + " would remove it; write with the tool that made it, drop the index, or set the"
              + " option drop_unknown_indexes. Index folders "
              + unknown
              + " in "
              + table.location());
    }
  }

  private static Set<String> visibleIndexes(LanceDataset table) {
    return table.handle().getIndexes().stream()
        .map(index -> index.uuid().toString())
        .collect(Collectors.toSet());
  }

  private static Set<String> indexFolders(LanceLocation location) {
    Path folder = location.localFolder().map(path -> path.resolve("_indices")).orElse(null);
    if (folder == null || !Files.isDirectory(folder)) {
      return new HashSet<>();
    }
    try (Stream<Path> entries = Files.list(folder)) {
      return entries
          .filter(Files::isDirectory)
          .map(entry -> entry.getFileName().toString())
          .collect(Collectors.toCollection(HashSet::new));
    } catch (IOException failure) {
      throw LanceFailure.of(failure, "list its indexes", location);
    }
  }
}
