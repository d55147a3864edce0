package io.millrace.exec.format.file;

import io.millrace.core.batch.RowOrigin;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.spi.ByteSource;
import io.millrace.core.spi.ObjectStore.ObjectStatus;
import io.millrace.core.spi.SourceReference;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A file of a listing, as it was when the listing was made.
 *
 * @param uri where any process finds it
 * @param path as the user's pattern names it
 * @param sizeBytes its length
 * @param modifiedMillis when it was changed, milliseconds since 1970 UTC
 * @param etag the store's mark of this content, if it has one
 */
public record PinnedFile(
    String uri, String path, long sizeBytes, long modifiedMillis, Optional<String> etag) {
  private static final char SEPARATOR = '\t';

  /** One line a file, in the order in which row addresses count them. */
  public static String pin(List<PinnedFile> files) {
    StringBuilder text = new StringBuilder();
    for (PinnedFile file : files) {
      text.append(file.sizeBytes)
          .append(SEPARATOR)
          .append(file.modifiedMillis)
          .append(SEPARATOR)
          .append(file.etag.orElse(""))
          .append(SEPARATOR)
          .append(escape(file.path))
          .append('\n');
    }
    return text.toString();
  }

  /** The files of a pinned source. */
  public static List<PinnedFile> of(SourceReference source) {
    String pin = source.pin().orElse("");
    List<String> lines = pin.lines().toList();
    if (lines.size() != source.uris().size()) {
      throw new MillraceException(
          ErrorCode.INVALID_PLAN,
          "A listing of files does not fit its plan: "
              + lines.size()
              + " pins for "
              + source.uris().size()
              + " files");
    }
    List<PinnedFile> files = new ArrayList<>(lines.size());
    for (int i = 0; i < lines.size(); i++) {
      String[] parts = lines.get(i).split(String.valueOf(SEPARATOR), 4);
      files.add(
          new PinnedFile(
              source.uris().get(i),
              unescape(parts[3]),
              Long.parseLong(parts[0]),
              Long.parseLong(parts[1]),
              parts[2].isEmpty() ? Optional.empty() : Optional.of(parts[2])));
    }
    return files;
  }

  /** Rows that are the content of a file each. */
  static RowOrigin origin(List<PinnedFile> files) {
    return RowOrigin.files(files.stream().map(PinnedFile::path).toList());
  }

  /**
   * Checks that an open file is the one that was listed.
   *
   * @throws MillraceException SOURCE_CHANGED when its size, or the store's mark of it, is another
   */
  public void requireSame(ByteSource open) throws IOException {
    boolean sameMark = etag.isEmpty() || open.etag().isEmpty() || etag.equals(open.etag());
    if (open.sizeBytes() != sizeBytes || !sameMark) {
      throw new MillraceException(
          ErrorCode.SOURCE_CHANGED,
          "The file changed while it was read; run the query again: '" + path + "'");
    }
  }

  /** Whether the file still is what it was; size and mark decide, or size and time without one. */
  public boolean isStill(ObjectStatus now) {
    boolean sameMark =
        etag.isPresent() && now.etag().isPresent()
            ? etag.equals(now.etag())
            : modifiedMillis == now.modifiedMillis();
    return sizeBytes == now.sizeBytes() && sameMark;
  }

  /**
   * Whether this is a file of data: other engines put marks and checksums, with names that start
   * with an underscore or a dot, beside their files.
   */
  public boolean isData() {
    String name = path.substring(path.lastIndexOf('/') + 1);
    return !name.startsWith("_") && !name.startsWith(".");
  }

  /** Paths may hold any character; a line may not. */
  private static String escape(String path) {
    return path.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r");
  }

  private static String unescape(String text) {
    StringBuilder path = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c != '\\') {
        path.append(c);
        continue;
      }
      i++;
      char escaped = text.charAt(i);
      path.append(escaped == 'n' ? '\n' : escaped == 'r' ? '\r' : escaped);
    }
    return path.toString();
  }
}
