package io.millrace.planner.logical;

import io.millrace.core.spi.SourceReference;
import io.millrace.core.spi.Table;
import io.millrace.core.spi.TableStatistics;
import io.millrace.core.type.Schema;
import java.util.Set;

/**
 * A table that is open and pinned, as scans name it. The Session owns the open table and keeps it
 * open while this object is reachable. Two scans of the same rows may have different ones; {@link
 * #sameRows} tells.
 */
public final class SourceTable {
  private final String name;
  private final Table table;
  private volatile TableStatistics statistics;

  /**
   * @param name what users called it, for plans and errors
   */
  public SourceTable(String name, Table table) {
    this.name = name;
    this.table = table;
  }

  public String name() {
    return name;
  }

  public Table table() {
    return table;
  }

  public Schema schema() {
    return table.schema();
  }

  /** The table's statistics, asked for once: a table is pinned. */
  public TableStatistics statistics() {
    TableStatistics known = statistics;
    if (known == null) {
      known = table.statistics();
      statistics = known;
    }
    return known;
  }

  public Set<String> heavyColumns() {
    return table.heavyColumns();
  }

  /** The pinned source without its number in a plan. */
  public SourceReference reference() {
    return table.source().withSourceId(0);
  }

  /** Whether both read the same rows at the same version. */
  public boolean sameRows(SourceTable other) {
    return reference().equals(other.reference());
  }

  @Override
  public String toString() {
    return name;
  }
}
