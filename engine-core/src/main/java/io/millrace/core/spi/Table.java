package io.millrace.core.spi;

import io.millrace.core.plan.PhysicalExpression;
import io.millrace.core.type.Schema;
import java.util.List;
import java.util.Set;

/**
 * An open, pinned table on the driver. Capabilities beyond a scan are optional interfaces: {@link
 * VersionedTable}, {@link LazyTable} and others.
 */
public interface Table extends AutoCloseable {

  Schema schema();

  /** The source with its pin; its source id is the one given to {@code open}. */
  SourceReference source();

  TableStatistics statistics();

  /**
   * The conjuncts among these (over {@link #schema} positions) that this source applies exactly,
   * with the engine's semantics. The planner keeps the others above the scan.
   */
  List<PhysicalExpression> acceptedFilters(List<PhysicalExpression> conjuncts);

  /** The parts to read; with pruning by the specification's filters. May block. */
  List<Split> splits(ScanSpecification specification, int wantedParallelism);

  /** Columns that leave the scan as row references when the planner asks for it. */
  default Set<String> heavyColumns() {
    return Set.of();
  }

  @Override
  void close();
}
