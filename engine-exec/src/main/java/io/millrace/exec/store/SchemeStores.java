package io.millrace.exec.store;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.spi.ObjectStore;
import io.millrace.core.spi.ObjectStores;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Stores by URI scheme; a path without scheme is a local file. */
public final class SchemeStores implements ObjectStores {
  /** At least two letters, so that {@code C:\data} is a path. */
  private static final Pattern SCHEME = Pattern.compile("([a-zA-Z][a-zA-Z0-9+.-]+):.*");

  private final Map<String, ObjectStore> byScheme;

  /**
   * @param byScheme schemes in lower case; {@code file} serves paths without scheme too
   */
  public SchemeStores(Map<String, ObjectStore> byScheme) {
    this.byScheme = new TreeMap<>(byScheme);
  }

  /** Local files only; what ServiceLoader makes. */
  public SchemeStores() {
    this(Map.of("file", new LocalObjectStore()));
  }

  @Override
  public ObjectStore of(String uri) {
    Matcher matcher = SCHEME.matcher(uri);
    String scheme = matcher.matches() ? matcher.group(1).toLowerCase(Locale.ROOT) : "file";
    ObjectStore store = byScheme.get(scheme);
    if (store == null) {
      throw new MillraceException(
          ErrorCode.MISSING_ARTIFACT,
          "No object store serves this scheme here; known are "
              + byScheme.keySet()
              + ": '"
              + uri
              + "'");
    }
    return store;
  }
}
