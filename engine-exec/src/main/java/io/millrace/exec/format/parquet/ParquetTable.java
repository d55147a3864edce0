package io.millrace.exec.format.parquet;

import io.millrace.core.error.MillraceException;
import io.millrace.core.plan.PhysicalExpression;
import io.millrace.core.spi.ConnectorContext;
import io.millrace.core.spi.ScanSpecification;
import io.millrace.core.spi.SourceReference;
import io.millrace.core.spi.Split;
import io.millrace.core.spi.Table;
import io.millrace.core.spi.TableStatistics;
import io.millrace.core.spi.TableStatistics.ColumnStatistics;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import io.millrace.exec.expression.CompiledPredicate;
import io.millrace.exec.expression.ExpressionCompiler;
import io.millrace.exec.format.parquet.read.ParquetFooter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** Parquet files read as one table, pinned. Its columns are those of the first file. */
final class ParquetTable implements Table {
  private final SourceReference source;
  private final List<ParquetFooter> footers;
  private final Schema schema;
  private final ExpressionCompiler expressions;
  private final ConnectorContext context;

  /**
   * @param footers one a file, in the order of the source's uris
   * @param expressions for a look whether filters can be compiled
   */
  ParquetTable(
      SourceReference source,
      List<ParquetFooter> footers,
      ExpressionCompiler expressions,
      ConnectorContext context) {
    this.source = source;
    this.footers = footers;
    this.schema = schema(footers);
    this.expressions = expressions;
    this.context = context;
  }

  /** The first file's columns; one may be null when it may be, or is not there, in any file. */
  private static Schema schema(List<ParquetFooter> footers) {
    List<Field> fields = new ArrayList<>();
    for (Field field : footers.getFirst().schema().schema().fields()) {
      boolean nullable = field.nullable();
      for (ParquetFooter footer : footers.subList(1, footers.size())) {
        nullable |= footer.schema().isNullable(field.name());
      }
      fields.add(field.withNullable(nullable));
    }
    return new Schema(fields);
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
    Map<String, ColumnStatistics> columns = new HashMap<>();
    for (Field column : schema.fields()) {
      columns.put(column.name(), new BoundsSummary(column).of(footers));
    }
    return new TableStatistics(OptionalLong.of(rows), OptionalLong.of(bytes), columns);
  }

  @Override
  public List<PhysicalExpression> acceptedFilters(List<PhysicalExpression> conjuncts) {
    return conjuncts.stream().filter(this::isCompilable).toList();
  }

  /** Scans evaluate whatever the engine has kernels for. */
  private boolean isCompilable(PhysicalExpression conjunct) {
    try (CompiledPredicate compiled = expressions.compilePredicate(conjunct, context.allocator())) {
      return compiled != null;
    } catch (MillraceException noKernel) {
      return false;
    }
  }

  /**
   * One split a row group: they are the unit in which drivers share the work. A row group whose
   * statistics exclude the filters is left out.
   */
  @Override
  public List<Split> splits(ScanSpecification specification, int wantedParallelism) {
    List<Split> splits = new ArrayList<>();
    for (int file = 0; file < footers.size(); file++) {
      ParquetFooter footer = footers.get(file);
      for (int group = 0; group < footer.rowGroupCount(); group++) {
        if (footer.rowCount(group) > 0
            && footer.mayPass(group, specification.filters(), specification.tableSchema())) {
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
