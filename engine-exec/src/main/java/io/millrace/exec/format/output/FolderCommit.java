package io.millrace.exec.format.output;

import io.millrace.core.spi.ObjectStore;
import io.millrace.core.spi.ObjectStore.ObjectStatus;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Changes a folder that is there so that readers see all of the new files at once, and of replaced
 * ones none from then on: see {@link WriteJournal}. Calls block.
 */
final class FolderCommit {
  private static final Comparator<WriteJournal> OUTERMOST_LAST =
      Comparator.comparingInt((WriteJournal journal) -> -journal.folder().length());

  private final ObjectStore store;
  private final String folder;
  private final String writeId;

  /**
   * @param folder without slash at its end
   */
  FolderCommit(ObjectStore store, String folder, String writeId) {
    this.store = store;
    this.folder = folder;
    this.writeId = writeId;
  }

  /**
   * Puts files into the folder.
   *
   * @param moves from where each comes, and its path in the folder
   * @param replaces whether all files from before go
   */
  void run(Map<String, String> moves, boolean replaces) throws IOException {
    finishOthers();
    List<ObjectStatus> before = replaces ? store.list(folder) : List.of();
    List<String> folders = folders(moves, before);
    for (String marked : folders) {
      mark(WriteJournal.uri(marked, writeId, false));
    }
    for (Map.Entry<String, String> move : moves.entrySet()) {
      store.move(move.getKey(), folder + "/" + move.getValue());
    }
    if (replaces) {
      for (String marked : folders) {
        store.move(
            WriteJournal.uri(marked, writeId, false), WriteJournal.uri(marked, writeId, true));
      }
      remove(before);
    }
    // Deeper marks go first, so that a reader of the whole folder sees all or nothing.
    for (String marked : folders.reversed()) {
      store.delete(WriteJournal.uri(marked, writeId, replaces));
    }
  }

  /** Folders whose files change, the outermost first. */
  private List<String> folders(Map<String, String> moves, List<ObjectStatus> before) {
    TreeSet<String> folders = new TreeSet<>();
    folders.add(folder);
    for (String path : moves.values()) {
      String uri = folder + "/" + path;
      folders.add(uri.substring(0, uri.lastIndexOf('/')));
    }
    for (ObjectStatus file : before) {
      folders.add(file.uri().substring(0, file.uri().lastIndexOf('/')));
    }
    return new ArrayList<>(folders);
  }

  private void mark(String uri) throws IOException {
    try (OutputStream mark = store.create(uri)) {
      mark.flush();
    }
  }

  private void remove(List<ObjectStatus> files) throws IOException {
    List<WriteJournal> journals = WriteJournal.among(files);
    for (ObjectStatus file : files) {
      boolean coming =
          journals.stream().anyMatch(journal -> !journal.replacing() && journal.hides(file.uri()));
      boolean mark =
          WriteJournal.all(files).stream().anyMatch(journal -> journal.uri().equals(file.uri()));
      if (!coming && !mark && !WriteJournal.isOf(file.uri(), writeId)) {
        store.delete(file.uri());
      }
    }
  }

  /** Ends replacements whose writer died after readers had been shown the new files. */
  private void finishOthers() throws IOException {
    List<ObjectStatus> files = store.list(folder);
    List<WriteJournal> journals = WriteJournal.among(files);
    List<WriteJournal> replacing = journals.stream().filter(WriteJournal::replacing).toList();
    for (WriteJournal journal : replacing) {
      remove(files.stream().filter(file -> journal.hides(file.uri())).toList());
    }
    List<String> ids = replacing.stream().map(WriteJournal::writeId).toList();
    for (WriteJournal journal : WriteJournal.all(files).stream().sorted(OUTERMOST_LAST).toList()) {
      if (ids.contains(journal.writeId())) {
        store.delete(journal.uri());
      }
    }
  }
}
