package io.millrace.planner.statistics;

import java.util.List;

/**
 * What is expected of a node's rows.
 *
 * @param rows expected rows; a guess when not known
 * @param storedRows rows before filters dropped any: what several keys together have at most
 * @param isKnown whether statistics stand behind the number
 * @param columns one a column
 */
public record Estimate(
    double rows, double storedRows, boolean isKnown, List<ColumnEstimate> columns) {
  public Estimate {
    columns = List.copyOf(columns);
  }

  /** As many rows as given, the columns thinned or repeated to fit. */
  Estimate withRows(double newRows) {
    return new Estimate(
        newRows,
        Math.max(storedRows, newRows),
        isKnown,
        columns.stream().map(column -> column.thinned(rows, newRows)).toList());
  }
}
