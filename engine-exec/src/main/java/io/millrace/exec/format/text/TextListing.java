package io.millrace.exec.format.text;

import io.millrace.core.error.MillraceException;
import io.millrace.core.spi.ObjectStores;
import io.millrace.core.spi.SourceReference;
import io.millrace.exec.format.file.FileListing;
import io.millrace.exec.format.file.PinnedFile;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The files that a source of text names. */
public final class TextListing {
  private TextListing() {}

  /**
   * The files, in name order for each pattern; marks of other engines ({@code _SUCCESS}, {@code
   * .name.crc}) are left out of folders.
   *
   * @throws MillraceException FILE_NOT_FOUND when there is none
   */
  public static List<TextFile> of(SourceReference source, ObjectStores stores) {
    return new FileListing(stores)
        .dataFiles(source.uris(), "data").stream().map(file -> new TextFile(file, stores)).toList();
  }

  /** The source with these files pinned, and with options that hold what was decided. */
  public static SourceReference pinned(
      SourceReference source, List<TextFile> files, Map<String, String> options) {
    List<PinnedFile> pinned = files.stream().map(TextFile::pinned).toList();
    return new SourceReference(
        source.sourceId(),
        source.connector(),
        pinned.stream().map(PinnedFile::uri).toList(),
        options,
        Optional.of(PinnedFile.pin(pinned)));
  }
}
