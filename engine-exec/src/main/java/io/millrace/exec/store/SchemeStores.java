package io.millrace.exec.store;

import io.millrace.core.config.Configuration;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.spi.ObjectStore;
import io.millrace.core.spi.ObjectStores;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Stores by URI scheme; a path without scheme is a local file. A store is made when its scheme is
 * first used, so that what no query reads costs nothing.
 */
public final class SchemeStores implements ObjectStores {
  /** At least two letters, so that {@code C:\data} is a path. */
  private static final Pattern SCHEME = Pattern.compile("([a-zA-Z][a-zA-Z0-9+.-]+):.*");

  private static final int FAMILY_LIMIT = 100;

  private final Map<String, Supplier<ObjectStore>> makers;
  private final Map<String, ObjectStore> made = new TreeMap<>();

  /** What was made for other settings, so that all scans of a session share connections. */
  private final Map<StoreSettings, SchemeStores> family;

  /**
   * @param byScheme schemes in lower case; {@code file} serves paths without scheme too
   */
  public SchemeStores(Map<String, ObjectStore> byScheme) {
    this.makers = new TreeMap<>();
    this.family = Map.of();
    byScheme.forEach((scheme, store) -> makers.put(scheme, () -> store));
  }

  /** All stores, with default settings; what ServiceLoader makes. */
  public SchemeStores() {
    this(StoreSettings.of(Configuration.DEFAULTS, System.getenv()), new ConcurrentHashMap<>());
  }

  SchemeStores(StoreSettings settings, Map<StoreSettings, SchemeStores> family) {
    this.family = family;
    Supplier<ObjectStore> local = LocalObjectStore::new;
    Supplier<ObjectStore> http = () -> new HttpObjectStore(settings.retries(), settings.timeout());
    Supplier<ObjectStore> s3 = () -> new CloudObjectStore("s3", settings::s3, settings.retries());
    Supplier<ObjectStore> google =
        () -> new CloudObjectStore("gcs", settings::gcs, settings.retries());
    Supplier<ObjectStore> azure =
        () -> new CloudObjectStore("azblob", settings::azure, settings.retries());
    this.makers =
        new TreeMap<>(
            Map.of(
                "file", local, "http", http, "https", http, "s3", s3, "s3a", s3, "gs", google,
                "gcs", google, "az", azure, "azure", azure));
  }

  @Override
  public ObjectStores with(Configuration configuration) {
    if (!makers.containsKey("s3")) {
      return this;
    }
    StoreSettings settings = StoreSettings.of(configuration, System.getenv());
    if (family.size() > FAMILY_LIMIT) {
      family.clear();
    }
    return family.computeIfAbsent(settings, wanted -> new SchemeStores(wanted, family));
  }

  @Override
  public ObjectStore of(String uri) {
    Matcher matcher = SCHEME.matcher(uri);
    String scheme = matcher.matches() ? matcher.group(1).toLowerCase(Locale.ROOT) : "file";
    synchronized (made) {
      ObjectStore known = made.get(scheme);
      if (known != null) {
        return known;
      }
      Supplier<ObjectStore> maker = makers.get(scheme);
      if (maker == null) {
        throw new MillraceException(
            ErrorCode.MISSING_ARTIFACT,
            "No object store serves this scheme here; known are "
                + makers.keySet()
                + ": '"
                + uri
                + "'");
      }
      try {
        ObjectStore store = maker.get();
        made.put(scheme, store);
        return store;
      } catch (LinkageError missing) {
        throw new MillraceException(
            ErrorCode.MISSING_ARTIFACT,
            "The library of this store is not on the class path; add"
                + " org.apache.opendal:opendal and its natives for this platform: '"
                + uri
                + "'",
            missing);
      }
    }
  }
}
