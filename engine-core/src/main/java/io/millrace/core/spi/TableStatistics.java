package io.millrace.core.spi;

import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * What is known of a table without reading it; unknown is empty, never zero.
 *
 * @param columns by column name
 */
public record TableStatistics(
    OptionalLong rowCount, OptionalLong bytes, Map<String, ColumnStatistics> columns) {
  public TableStatistics {
    columns = Map.copyOf(columns);
  }

  public static final TableStatistics UNKNOWN =
      new TableStatistics(OptionalLong.empty(), OptionalLong.empty(), Map.of());

  /**
   * Statistics of one column.
   *
   * @param nullFraction 0 to 1
   * @param minimum Java value as {@code FlatVector.valueAt} gives, or null when unknown
   * @param maximum likewise
   */
  public record ColumnStatistics(
      OptionalLong distinctCount,
      OptionalDouble nullFraction,
      OptionalLong averageBytes,
      Object minimum,
      Object maximum) {}
}
