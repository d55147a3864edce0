package io.millrace.exec.format.output;

import io.millrace.core.spi.ObjectStore.ObjectStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Marks in folders that tell readers which files count while a write changes the folder.
 *
 * <p>A mark {@code _millrace-ID.pending} hides the files below its folder whose names hold the
 * write's id: they are being put there. A mark {@code _millrace-ID.replacing} hides all other
 * files: they are being removed. One rename or removal of a mark thus changes what readers see from
 * all of the old to all of the new, whenever the writer dies.
 *
 * @param folder that holds the mark
 * @param writeId of the write that made it
 */
public record WriteJournal(String folder, String writeId, boolean replacing) {
  private static final String PENDING = ".pending";
  private static final String REPLACING = ".replacing";
  private static final Pattern NAME =
      Pattern.compile(Pattern.quote(FileSink.PENDING_PREFIX) + "(.+)(\\.pending|\\.replacing)");

  static String uri(String folder, String writeId, boolean replacing) {
    return folder + "/" + FileSink.PENDING_PREFIX + writeId + (replacing ? REPLACING : PENDING);
  }

  String uri() {
    return uri(folder, writeId, replacing);
  }

  /**
   * The marks among the files of a listing that count: a write that has begun to replace shows its
   * files in all folders, also where its mark still is the first one.
   */
  static List<WriteJournal> among(List<ObjectStatus> files) {
    List<WriteJournal> journals = all(files);
    return journals.stream()
        .filter(
            journal ->
                journal.replacing()
                    || journals.stream()
                        .noneMatch(
                            other ->
                                other.replacing() && other.writeId().equals(journal.writeId())))
        .toList();
  }

  static List<WriteJournal> all(List<ObjectStatus> files) {
    List<WriteJournal> journals = new ArrayList<>();
    for (ObjectStatus file : files) {
      int slash = file.uri().lastIndexOf('/');
      Matcher matcher = NAME.matcher(file.uri().substring(slash + 1));
      if (matcher.matches()) {
        journals.add(
            new WriteJournal(
                file.uri().substring(0, Math.max(0, slash)),
                matcher.group(1),
                matcher.group(2).equals(REPLACING)));
      }
    }
    return journals;
  }

  /** The files that count: without marks and without what marks hide. */
  public static List<ObjectStatus> visible(List<ObjectStatus> files) {
    List<WriteJournal> journals = among(files);
    return journals.isEmpty()
        ? files
        : files.stream()
            .filter(file -> journals.stream().noneMatch(journal -> journal.hides(file.uri())))
            .toList();
  }

  boolean hides(String uri) {
    if (!uri.startsWith(folder + "/")) {
      return false;
    }
    boolean own = isOf(uri, writeId);
    return replacing ? !own : own;
  }

  /** Whether a file was made by a write: part files have its id in their names. */
  static boolean isOf(String uri, String writeId) {
    return uri.substring(uri.lastIndexOf('/') + 1).contains("-" + writeId + ".");
  }
}
