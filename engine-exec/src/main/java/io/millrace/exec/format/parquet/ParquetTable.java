package io.millrace.exec.format.parquet;

import io.millrace.core.plan.PhysicalExpression;
import io.millrace.core.spi.ScanSpecification;
import io.millrace.core.spi.SourceReference;
import io.millrace.core.spi.Split;
import io.millrace.core.spi.Table;
import io.millrace.core.spi.TableStatistics;
import io.millrace.core.type.Schema;
import io.millrace.exec.format.parquet.read.ParquetFooter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** Parquet files read as one table, pinned. Its columns are those of the first file. */
final class ParquetTable implements Table {
  private final SourceReference source;
  private final List<ParquetFooter> footers;
  private final Schema schema;

  /**
   * @param footers one a file, in the order of the source's uris
   */
  ParquetTable(SourceReference source, List<ParquetFooter> footers) {
    this.source = source;
    this.footers = footers;
    this.schema = footers.getFirst().schema().schema();
  }

  /**
   * Row groups of one file, as a split's payload says: {@code file:from:to}.
   *
   * @param file position among the source's uris
   * @param from first row group
   * @param to row group after the last
   */
  record RowGroups(int file, int from, int to) {
    static RowGroups of(Split split) {
      String[] parts = split.payload().split(":", -1);
      return new RowGroups(
          Integer.parseInt(parts[0]), Integer.parseInt(parts[1]), Integer.parseInt(parts[2]));
    }

    String payload() {
      return file + ":" + from + ":" + to;
    }
  }

  @Override
  public Schema schema() {
    return schema;
  }

  @Override
  public SourceReference source() {
    return source;
  }

  @Override
  public TableStatistics statistics() {
    long rows = 0;
    long bytes = 0;
    for (ParquetFooter footer : footers) {
      rows += footer.rowCount();
      for (int group = 0; group < footer.rowGroupCount(); group++) {
        bytes += footer.byteCount(group);
      }
    }
    return new TableStatistics(OptionalLong.of(rows), OptionalLong.of(bytes), Map.of());
  }

  @Override
  public List<PhysicalExpression> acceptedFilters(List<PhysicalExpression> conjuncts) {
    return List.of();
  }

  /** One split a row group: they are the unit in which drivers share the work. */
  @Override
  public List<Split> splits(ScanSpecification specification, int wantedParallelism) {
    List<Split> splits = new ArrayList<>();
    for (int file = 0; file < footers.size(); file++) {
      ParquetFooter footer = footers.get(file);
      for (int group = 0; group < footer.rowGroupCount(); group++) {
        if (footer.rowCount(group) > 0) {
          splits.add(
              new Split(
                  new RowGroups(file, group, group + 1).payload(),
                  footer.byteCount(group),
                  footer.rowCount(group),
                  List.of()));
        }
      }
    }
    return splits;
  }

  @Override
  public void close() {}
}
