package io.millrace.planner.logical;

import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import io.millrace.planner.type.MillraceTypeFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.apache.calcite.plan.Convention;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.AbstractRelNode;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexNode;

/** Reads a table. The optimizer hands it the columns, filters and limit that the source applies. */
public final class SourceScan extends AbstractRelNode {
  private final SourceTable table;
  private final List<ScanColumn> columns;
  private final List<RexNode> filters;
  private final OptionalLong limit;

  /**
   * One column that is read.
   *
   * @param tableColumn position in the table's schema
   * @param output its name and type in the plan; a Reference type asks for row addresses
   */
  public record ScanColumn(int tableColumn, Field output) {}

  private SourceScan(
      RelOptCluster cluster,
      RelTraitSet traits,
      SourceTable table,
      List<ScanColumn> columns,
      List<RexNode> filters,
      OptionalLong limit) {
    super(cluster, traits);
    this.table = table;
    this.columns = List.copyOf(columns);
    this.filters = List.copyOf(filters);
    this.limit = limit;
  }

  /** A scan of all columns and rows. */
  public static SourceScan of(RelOptCluster cluster, SourceTable table) {
    List<ScanColumn> columns = new ArrayList<>();
    for (Field field : table.schema().fields()) {
      columns.add(new ScanColumn(columns.size(), field));
    }
    return new SourceScan(
        cluster,
        cluster.traitSetOf(Convention.NONE),
        table,
        columns,
        List.of(),
        OptionalLong.empty());
  }

  public SourceTable table() {
    return table;
  }

  public List<ScanColumn> columns() {
    return columns;
  }

  /** Conjuncts over the table's schema (not this node's row) that the source applies exactly. */
  public List<RexNode> filters() {
    return filters;
  }

  /** Most rows that are wanted from each split. */
  public OptionalLong limit() {
    return limit;
  }

  /** Whether every row of the table comes out. */
  public boolean readsAllRows() {
    return filters.isEmpty() && limit.isEmpty();
  }

  public SourceScan withColumns(List<ScanColumn> newColumns) {
    return new SourceScan(getCluster(), traitSet, table, newColumns, filters, limit);
  }

  public SourceScan withFilters(List<RexNode> newFilters) {
    return new SourceScan(getCluster(), traitSet, table, columns, newFilters, limit);
  }

  public SourceScan withLimit(long rows) {
    return new SourceScan(getCluster(), traitSet, table, columns, filters, OptionalLong.of(rows));
  }

  /** The row type of the whole table, which the filters address. */
  public RelDataType tableRowType() {
    return types().rowType(table.schema());
  }

  /** Whether the output column carries row addresses. */
  public boolean isReference(int column) {
    return columns.get(column).output().type() instanceof DataType.Reference;
  }

  @Override
  protected RelDataType deriveRowType() {
    return types().rowType(new Schema(columns.stream().map(ScanColumn::output).toList()));
  }

  private MillraceTypeFactory types() {
    return (MillraceTypeFactory) getCluster().getTypeFactory();
  }

  @Override
  public RelNode copy(RelTraitSet traits, List<RelNode> inputs) {
    return this;
  }

  @Override
  public RelWriter explainTerms(RelWriter writer) {
    return super.explainTerms(writer)
        .item("table", table.name())
        .item("source", table.reference())
        .item(
            "columns",
            columns.stream()
                .map(column -> column.tableColumn() + " " + column.output())
                .collect(Collectors.joining(", ", "[", "]")))
        .itemIf("filters", filters, !filters.isEmpty())
        .itemIf("limit", limit.isPresent() ? limit.getAsLong() : null, limit.isPresent());
  }
}
