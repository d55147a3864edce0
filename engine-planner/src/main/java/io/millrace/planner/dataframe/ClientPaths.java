package io.millrace.planner.dataframe;

import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * Relative paths are relative to the client's folder: they become absolute before a plan leaves it,
 * because the processes that open them run in other folders.
 */
final class ClientPaths {
  /** At least two letters: one is a drive. */
  private static final Pattern SCHEME = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]+:.*");

  private ClientPaths() {}

  /** The same place for any process of this machine; a URI with a scheme as it is. */
  static String absolute(String uri) {
    return SCHEME.matcher(uri).matches()
        ? uri
        : Path.of(uri).toAbsolutePath().normalize().toString();
  }
}
