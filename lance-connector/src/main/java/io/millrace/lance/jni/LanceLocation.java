package io.millrace.lance.jni;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Where a dataset lies and how its store is reached.
 *
 * @param uri a local path, a {@code file:} URI or an object-store URI such as {@code
 *     s3://b/t.lance}
 * @param storageOptions options of the object store, passed on as they are; empty for local files
 */
public record LanceLocation(String uri, Map<String, String> storageOptions) {
  public LanceLocation {
    Objects.requireNonNull(uri, "uri");
    storageOptions = Map.copyOf(storageOptions);
    if (uri.isBlank() || uri.indexOf('\0') >= 0) {
      throw new MillraceException(
          ErrorCode.INVALID_ARGUMENT, "The address of a Lance table is empty or has a zero byte");
    }
  }

  /** A location that needs no storage options. */
  public static LanceLocation of(String uri) {
    return new LanceLocation(uri, Map.of());
  }

  /** A location as users write it: local paths become absolute, slashes at the end go away. */
  public static LanceLocation normalized(String uri) {
    String trimmed = uri;
    while (trimmed.length() > 1 && trimmed.endsWith("/")) {
      trimmed = trimmed.substring(0, trimmed.length() - 1);
    }
    LanceLocation location = of(trimmed);
    return of(location.localFolder().map(Path::toString).orElse(trimmed));
  }

  /** The folder on this machine, or empty when the dataset lies in an object store. */
  public Optional<Path> localFolder() {
    int colon = uri.indexOf("://");
    if (uri.startsWith("file:")) {
      return Optional.of(Path.of(URI.create(uri)));
    }
    return colon > 0 ? Optional.empty() : Optional.of(Path.of(uri).toAbsolutePath().normalize());
  }

  @Override
  public String toString() {
    return uri;
  }
}
