package io.millrace.core.spi;

import io.millrace.core.plan.PhysicalExpression;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import java.util.List;
import java.util.OptionalLong;

/**
 * What a scan reads and what the source does for it.
 *
 * @param source the pinned source
 * @param tableSchema all columns of the source; filters address these
 * @param columns output columns in order
 * @param filters conjuncts over {@code tableSchema} positions that the source applies exactly: a
 *     row for which one is not true is not given. The planner leaves out what the table did not
 *     accept
 * @param limit most rows that are wanted from each split; the source may give more
 */
public record ScanSpecification(
    SourceReference source,
    Schema tableSchema,
    List<ScanColumn> columns,
    List<PhysicalExpression> filters,
    OptionalLong limit) {
  public ScanSpecification {
    columns = List.copyOf(columns);
    filters = List.copyOf(filters);
  }

  /**
   * One output column.
   *
   * @param sourceColumn name in the source
   * @param output name and type in the plan; a Reference type asks for row addresses
   */
  public record ScanColumn(String sourceColumn, Field output) {}

  public Schema outputSchema() {
    return new Schema(columns.stream().map(ScanColumn::output).toList());
  }
}
