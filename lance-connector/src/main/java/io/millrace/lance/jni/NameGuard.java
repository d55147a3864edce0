package io.millrace.lance.jni;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.error.NearestNames;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Checks column names and text before they cross into native code. */
public final class NameGuard {
  private NameGuard() {}

  /**
   * Whether text reaches native code unharmed. It travels as Java's modified UTF-8, which differs
   * from UTF-8 for the zero character and for characters outside the basic plane; the native side
   * then refuses it, or worse.
   */
  public static boolean isPlainText(String text) {
    for (int index = 0; index < text.length(); index++) {
      char unit = text.charAt(index);
      if (unit == 0 || Character.isSurrogate(unit)) {
        return false;
      }
    }
    return true;
  }

  /** Whether a column of this name can be named in a projection or filter. */
  public static boolean isPassable(String name) {
    return !name.isEmpty() && name.indexOf('`') < 0 && isPlainText(name);
  }

  /**
   * Checks the columns of a scan or take: an unknown one in a take aborts the process.
   *
   * @throws MillraceException UNKNOWN_COLUMN, DUPLICATE_NAME, or INVALID_ARGUMENT for a name that
   *     cannot be passed on
   */
  static void requireColumns(List<String> wanted, List<String> known) {
    Set<String> seen = new HashSet<>();
    for (String name : wanted) {
      if (!known.contains(name)) {
        throw new MillraceException(
            ErrorCode.UNKNOWN_COLUMN,
            "Unknown column '" + name + "' in a Lance table" + NearestNames.hint(name, known));
      }
      if (!seen.add(name)) {
        throw new MillraceException(
            ErrorCode.DUPLICATE_NAME, "A column is read once per scan: '" + name + "'");
      }
      if (!isPassable(name)) {
        throw new MillraceException(
            ErrorCode.INVALID_ARGUMENT,
            "This column cannot be read: its name has a back tick, a zero character or a character"
                + " outside the basic plane: '"
                + name
                + "'");
      }
    }
  }
}
