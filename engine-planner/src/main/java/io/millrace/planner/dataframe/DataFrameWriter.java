package io.millrace.planner.dataframe;

import io.millrace.core.spi.WriteMode;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Writes the rows of a DataFrame. Immutable until {@link #save}; nothing is visible before all rows
 * are written, and a failure leaves nothing behind.
 */
public final class DataFrameWriter {
  private final Session session;
  private final Relation rows;
  private final Optional<String> format;
  private final WriteMode mode;
  private final Map<String, String> options;

  DataFrameWriter(Session session, Relation rows) {
    this(session, rows, Optional.empty(), WriteMode.CREATE, Map.of());
  }

  private DataFrameWriter(
      Session session,
      Relation rows,
      Optional<String> format,
      WriteMode mode,
      Map<String, String> options) {
    this.session = session;
    this.rows = rows;
    this.format = format;
    this.mode = mode;
    this.options = Map.copyOf(options);
  }

  /** What happens to rows that are there already; CREATE when not said. */
  public DataFrameWriter mode(WriteMode newMode) {
    return new DataFrameWriter(session, rows, format, newMode, options);
  }

  /** The connector by name; without it the path's suffix decides. */
  public DataFrameWriter format(String name) {
    return new DataFrameWriter(session, rows, Optional.of(name), mode, options);
  }

  /** An option of the connector. */
  public DataFrameWriter option(String name, Object value) {
    Map<String, String> more = new TreeMap<>(options);
    more.put(name, String.valueOf(value));
    return new DataFrameWriter(session, rows, format, mode, more);
  }

  /**
   * Columns whose values make folders {@code name=value}; the files hold the other columns. Formats
   * of files take it.
   */
  public DataFrameWriter partitionBy(String... columns) {
    return option("partition_by", String.join(",", columns));
  }

  /**
   * Runs the query and writes its rows.
   *
   * @return the number of rows written
   * @throws io.millrace.core.error.MillraceException TABLE_EXISTS, SCHEMA_MISMATCH,
   *     UNSUPPORTED_TYPE … and whatever the query fails with
   */
  public long save(String uri) {
    return execute(uri).rows();
  }

  /** As {@link #save}, and tells what the write's operators did. */
  public WriteResult execute(String uri) {
    return session.write(rows, format, uri, mode, options);
  }

  public long lance(String uri) {
    return format("lance").save(uri);
  }

  public long parquet(String uri) {
    return format("parquet").save(uri);
  }

  public long csv(String uri) {
    return format("csv").save(uri);
  }

  /** JSON lines. */
  public long json(String uri) {
    return format("json").save(uri);
  }
}
