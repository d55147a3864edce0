package io.millrace.exec.format.file;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The read options that all file formats share.
 *
 * <p>{@code hive_partitioning} (default: when all paths have the same {@code key=value} folders),
 * {@code hive_types_autocast} (default true: keys whose values are all integers or all dates get
 * that type), {@code filename} (true for a column {@code filename} with the path of each row's
 * file, or the column's name; {@code file_path_column}, {@code include_file_paths}), {@code
 * union_by_name} (columns of all files, not only those of the first).
 */
public final class FileSetOptions {
  private static final String HIVE = "hive_partitioning";
  private static final String HIVE_TYPES = "hive_types_autocast";
  private static final List<String> FILE_NAME =
      List.of("filename", "file_path_column", "include_file_paths");
  private static final String UNION = "union_by_name";
  private static final Set<String> NAMES =
      Set.of(HIVE, HIVE_TYPES, FILE_NAME.get(0), FILE_NAME.get(1), FILE_NAME.get(2), UNION);

  private final Map<String, String> options;

  public FileSetOptions(Map<String, String> options) {
    this.options = options;
  }

  /** The options of a format and these. */
  public static Set<String> and(Set<String> own) {
    Set<String> names = new HashSet<>(own);
    names.addAll(NAMES);
    return Set.copyOf(names);
  }

  /** Empty when the paths decide. */
  Optional<Boolean> hivePartitioning() {
    return Optional.ofNullable(options.get(HIVE)).map(value -> flag(HIVE, value));
  }

  boolean hiveTypes() {
    return flag(HIVE_TYPES, options.getOrDefault(HIVE_TYPES, "true"));
  }

  public boolean unionByName() {
    return flag(UNION, options.getOrDefault(UNION, "false"));
  }

  /** Name of the column that holds paths; empty for none. */
  Optional<String> fileNameColumn() {
    for (String option : FILE_NAME) {
      String value = options.get(option);
      if (value == null || value.isEmpty() || value.equalsIgnoreCase("false")) {
        continue;
      }
      return Optional.of(value.equalsIgnoreCase("true") ? FILE_NAME.getFirst() : value);
    }
    return Optional.empty();
  }

  private static boolean flag(String name, String value) {
    return switch (value.toLowerCase(Locale.ROOT)) {
      case "true", "1", "on", "yes" -> true;
      case "false", "0", "off", "no" -> false;
      default ->
          throw new MillraceException(
              ErrorCode.INVALID_OPTION_VALUE,
              "Option " + name + " takes true or false: '" + value + "'");
    };
  }
}
