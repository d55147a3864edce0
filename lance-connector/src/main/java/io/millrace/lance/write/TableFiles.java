package io.millrace.lance.write;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.spi.ByteSource;
import io.millrace.core.spi.ObjectStore;
import io.millrace.core.spi.ObjectStores;
import io.millrace.lance.jni.FragmentFile;
import io.millrace.lance.jni.LanceLocation;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of a table that belong to one write. Task attempts that finish note their fragments in
 * a folder of the write, so that those which are not committed (a lost answer, a second attempt, a
 * failed job) can be removed: nothing else knows their names.
 */
final class TableFiles {
  private static final Logger LOG = LoggerFactory.getLogger(TableFiles.class);
  private static final String NOTES = "_millrace_writes";
  private static final String DATA = "data";

  private final LanceLocation location;
  private final ObjectStores stores;
  private final String writeId;

  TableFiles(LanceLocation location, ObjectStores stores, String writeId) {
    this.location = location;
    this.stores = stores;
    this.writeId = writeId;
  }

  /**
   * Refuses a local folder that holds something else than a table or what a write left.
   *
   * @throws MillraceException INVALID_FILE
   */
  void requireNoStrangers() {
    Path folder = location.localFolder().orElse(null);
    if (folder == null || !Files.exists(folder)) {
      return;
    }
    try (Stream<Path> entries = Files.list(folder)) {
      Set<String> known = Set.of(DATA, NOTES);
      if (entries.anyMatch(entry -> !known.contains(entry.getFileName().toString()))) {
        throw new MillraceException(
            ErrorCode.INVALID_FILE,
            "A Lance table needs a folder of its own; this one holds other files: " + location);
      }
    } catch (IOException failure) {
      throw new MillraceException(
          ErrorCode.INVALID_FILE, "A Lance table is a folder; this is none: " + location, failure);
    }
  }

  /** Notes what a task attempt has written. */
  void note(String attemptId, byte[] fragments) {
    String uri = notes() + "/" + attemptId.replaceAll("[^A-Za-z0-9_-]", "_");
    try (OutputStream out = store().create(uri)) {
      out.write(fragments);
    } catch (IOException failure) {
      throw new MillraceException(
          ErrorCode.IO_FAILED, "A file could not be written below a Lance table: " + uri, failure);
    }
  }

  /** Removes the fragments of all attempts but those whose files are committed, and the notes. */
  void removeAllBut(List<FragmentFile> committed) {
    Set<String> kept = new HashSet<>();
    committed.forEach(fragment -> kept.addAll(fragment.paths()));
    for (FragmentFile fragment : notedFragments()) {
      if (fragment.paths().stream().noneMatch(kept::contains)) {
        remove(fragment);
      }
    }
    removeNotes();
  }

  void removeNotes() {
    delete(notes());
    removeEmptyFolders();
  }

  /** Removes one fragment's files, quietly: without a commit nobody sees them. */
  void remove(FragmentFile fragment) {
    for (String path : fragment.paths()) {
      if (path.contains("..") || path.startsWith("/")) {
        LOG.warn("Not removed, since it lies outside its table: {}", path);
      } else {
        delete(location.uri() + "/" + DATA + "/" + path);
      }
    }
  }

  private void removeEmptyFolders() {
    Path folder = location.localFolder().orElse(null);
    if (folder == null) {
      return; // An object store has no empty folders.
    }
    for (Path one : List.of(folder.resolve(NOTES), folder.resolve(DATA), folder)) {
      try {
        Files.deleteIfExists(one);
      } catch (DirectoryNotEmptyException inUse) {
        LOG.trace("Kept: {}", one, inUse);
      } catch (IOException failure) {
        LOG.warn("An empty folder could not be removed: {}", one, failure);
      }
    }
  }

  private List<FragmentFile> notedFragments() {
    List<FragmentFile> fragments = new ArrayList<>();
    try {
      if (!store().isDirectory(notes())) {
        return fragments;
      }
      for (ObjectStore.ObjectStatus note : store().list(notes())) {
        fragments.addAll(AttemptFragments.decode(readAll(note)));
      }
    } catch (IOException | RuntimeException failure) {
      LOG.warn("Files of a write may be left in {}", location, failure);
    }
    return fragments;
  }

  private byte[] readAll(ObjectStore.ObjectStatus note) throws IOException {
    try (ByteSource source = store().open(note.uri())) {
      ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(note.sizeBytes()));
      source.readFully(0, bytes);
      return bytes.array();
    }
  }

  private void delete(String uri) {
    try {
      store().delete(uri);
    } catch (IOException | RuntimeException failure) {
      LOG.warn("A file of a write that was given up could not be removed: {}", uri, failure);
    }
  }

  private String notes() {
    return location.uri() + "/" + NOTES + "/" + writeId.replaceAll("[^A-Za-z0-9_-]", "_");
  }

  private ObjectStore store() {
    return stores.of(location.uri());
  }
}
