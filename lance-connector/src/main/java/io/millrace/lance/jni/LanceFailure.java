package io.millrace.lance.jni;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import java.io.IOException;
import java.util.regex.Pattern;

/**
 * Turns what the native library throws into coded errors. It reports most failures as bare runtime
 * exceptions, so their text is all there is to go by.
 */
final class LanceFailure {
  private static final Pattern RUST_PLACE = Pattern.compile(",? ?/[\\w./-]+\\.rs:\\d+:\\d+");
  private static final Pattern JAVA_FRAMES = Pattern.compile("\\s+at [\\w.$/]+\\([^)]*\\)");
  private static final int TEXT_LIMIT = 500;

  private LanceFailure() {}

  /**
   * A failure of some work on a dataset.
   *
   * @param doing what was tried, such as {@code read}; stands in the message
   */
  static MillraceException of(Throwable failure, String doing, LanceLocation location) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof MillraceException known) {
        return known;
      }
      if (cause instanceof org.apache.arrow.memory.OutOfMemoryException) {
        return MillraceException.of(cause);
      }
      if (cause instanceof UnsatisfiedLinkError || cause instanceof NoClassDefFoundError) {
        return new MillraceException(
            ErrorCode.NATIVE_LIBRARY_FAILED,
            "Lance's native library could not be loaded (it needs about 200 MB in the folder that"
                + " java.io.tmpdir names, and Linux with glibc or macOS on arm64): "
                + cause.getMessage(),
            failure);
      }
    }
    String text = text(failure);
    return new MillraceException(
        code(failure, text),
        sentence(text, doing) + location + " (" + shorten(text) + ")",
        failure);
  }

  private static ErrorCode code(Throwable failure, String text) {
    if (text.contains("Flags:") && text.contains("cannot be read")) {
      return ErrorCode.UNSUPPORTED_FORMAT;
    }
    if (isConflict(text)) {
      return ErrorCode.COMMIT_CONFLICT;
    }
    if (text.contains("No space left")) {
      return ErrorCode.DISK_EXHAUSTED;
    }
    if (isMissing(text)) {
      return ErrorCode.SOURCE_CHANGED;
    }
    if (text.contains("Append with different schema")) {
      return ErrorCode.SCHEMA_MISMATCH;
    }
    if (text.contains("No object store provider")) {
      return ErrorCode.INVALID_ARGUMENT;
    }
    return failure instanceof IOException || failure instanceof RuntimeException
        ? ErrorCode.IO_FAILED
        : ErrorCode.INTERNAL_ERROR;
  }

  private static String sentence(String text, String doing) {
    if (text.contains("Flags:") && text.contains("cannot be read")) {
      return "This Lance table mixes file formats or uses a feature newer than the library here;"
          + " rewrite it in one file format, 2.1 or 2.2: ";
    }
    if (isConflict(text)) {
      return "Another writer changed the Lance table in a way that cannot be combined with this"
          + " write; run it again: ";
    }
    if (isMissing(text)) {
      return "A file of the pinned version of this Lance table is gone (cleaned up by another"
          + " writer?): ";
    }
    return "The Lance table could not be handled while trying to " + doing + ": ";
  }

  /** Whether another writer won; there is no typed exception for it. */
  private static boolean isConflict(String text) {
    return text.contains("Incompatible transaction")
        || text.contains("commit conflict")
        || text.contains("Commit conflict");
  }

  static boolean isMissing(String text) {
    return text.contains("was not found") || text.contains("Not found:");
  }

  static String text(Throwable failure) {
    return String.valueOf(failure.getMessage());
  }

  private static String shorten(String text) {
    String plain = RUST_PLACE.matcher(text.replace('\n', ' ')).replaceAll("");
    plain = JAVA_FRAMES.matcher(plain).replaceAll("").strip();
    return plain.length() > TEXT_LIMIT ? plain.substring(0, TEXT_LIMIT) + "…" : plain;
  }
}
