package io.millrace.planner.dataframe;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.spi.SourceReference;
import io.millrace.planner.logical.SourceScan;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Named tables at another version than the one they were opened at. */
final class Versions {
  private Versions() {}

  /**
   * @throws MillraceException UNSUPPORTED_SQL when the name is not of a table as it is stored
   */
  static Relation pinned(Session session, DataFrame table, Map<String, String> pin) {
    if (!(table.relation().node() instanceof SourceScan scan)) {
      throw new MillraceException(
          ErrorCode.UNSUPPORTED_SQL,
          "Only a stored table has versions, a view of a query has none.");
    }
    SourceReference source = scan.table().reference();
    Map<String, String> options = new TreeMap<>(source.options());
    options.putAll(pin);
    return Relation.of(
        session.sources().open(Optional.of(source.connector()), source.uris(), options));
  }
}
