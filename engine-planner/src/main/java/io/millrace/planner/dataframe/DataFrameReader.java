package io.millrace.planner.dataframe;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Opens tables and files as DataFrames. Immutable; each call gives a reader with one more choice.
 */
public final class DataFrameReader {
  private final Session session;
  private final Optional<String> format;
  private final Map<String, String> options;

  DataFrameReader(Session session, Optional<String> format, Map<String, String> options) {
    this.session = session;
    this.format = format;
    this.options = Map.copyOf(options);
  }

  /** The connector by name; without it the path's suffix decides. */
  public DataFrameReader format(String name) {
    return new DataFrameReader(session, Optional.of(name), options);
  }

  /** An option of the connector; checked when something is loaded. */
  public DataFrameReader option(String name, Object value) {
    Map<String, String> more = new TreeMap<>(options);
    more.put(name, String.valueOf(value));
    return new DataFrameReader(session, format, more);
  }

  /**
   * Opens files, folders or tables; paths may be globs.
   *
   * @throws MillraceException FILE_NOT_FOUND, INVALID_FILE, UNKNOWN_OPTION, MISSING_ARTIFACT …
   */
  public DataFrame load(String... uris) {
    if (uris.length == 0) {
      throw new MillraceException(ErrorCode.INVALID_ARGUMENT, "Nothing to load: give a path.");
    }
    return session.frame(session.sources().open(format, List.of(uris), options));
  }

  public DataFrame lance(String uri) {
    return format("lance").load(uri);
  }

  public DataFrame parquet(String... paths) {
    return format("parquet").load(paths);
  }

  public DataFrame csv(String... paths) {
    return format("csv").load(paths);
  }

  /** JSON lines. */
  public DataFrame json(String... paths) {
    return format("json").load(paths);
  }

  /** One row per file: path, size, modified, and the content, which is read when needed. */
  public DataFrame files(String... paths) {
    return format("files").load(paths);
  }
}
