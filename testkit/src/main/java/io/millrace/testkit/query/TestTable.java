package io.millrace.testkit.query;

import java.util.List;

/**
 * A table that random queries read.
 *
 * @param source what stands in FROM: a name or a quoted path
 * @param columns the first one is a unique key without nulls
 */
public record TestTable(String source, List<Column> columns) {
  public TestTable {
    columns = List.copyOf(columns);
  }

  /** A column by name and type. */
  public record Column(String name, ValueType type) {}
}
