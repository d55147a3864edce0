package io.millrace.lance.jni;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import java.util.Set;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.Schema;

/** The file format versions that the binding reads and writes correctly. */
public final class LanceFormat {
  /** What new tables are written in. */
  public static final String DEFAULT = "2.1";

  /** What a new table with a map column is written in: older versions have no maps. */
  public static final String WITH_MAPS = "2.2";

  // 2.3 opens and counts, then aborts the process in scan, take and filtered count, and an append
  // to it
  // makes the table unreadable for everyone (seen with the binding 7.0.0).
  private static final Set<String> SUPPORTED = Set.of("0.1", "2.0", "2.1", "2.2");

  private LanceFormat() {}

  /**
   * Refuses a table in a file format that must be neither read nor written here.
   *
   * @throws MillraceException UNSUPPORTED_FORMAT
   */
  static void requireSupported(String version, LanceLocation location) {
    if (!SUPPORTED.contains(version)) {
      throw new MillraceException(
          ErrorCode.UNSUPPORTED_FORMAT,
          "This Lance file format is newer than the versions 0.1 to 2.2 that can be read and"
              + " written; rewrite the table in version 2.1 or 2.2. Format "
              + version
              + " in "
              + location);
    }
  }

  /** The format a new table of this schema is written in. */
  static String forNewTable(Schema schema) {
    return schema.getFields().stream().anyMatch(LanceFormat::holdsMap) ? WITH_MAPS : DEFAULT;
  }

  private static boolean holdsMap(Field field) {
    return field.getType() instanceof ArrowType.Map
        || field.getChildren().stream().anyMatch(LanceFormat::holdsMap);
  }

  /** How a commit spells a version. */
  static String commitName(String version) {
    return version.equals("0.1") ? "legacy" : "v" + version;
  }

  /** Whether map columns can be stored. */
  static boolean hasMaps(String version) {
    return version.equals(WITH_MAPS);
  }
}
