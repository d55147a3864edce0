package io.millrace.planner.sql;

import io.millrace.planner.type.MillraceTypeFactory;
import java.util.List;
import org.apache.calcite.linq4j.tree.Expression;
import org.apache.calcite.plan.RelOptSchema;
import org.apache.calcite.plan.RelOptTable;
import org.apache.calcite.prepare.Prepare;
import org.apache.calcite.rel.RelCollation;
import org.apache.calcite.rel.RelDistribution;
import org.apache.calcite.rel.RelDistributions;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelReferentialConstraint;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.schema.ColumnStrategy;
import org.apache.calcite.schema.Table;
import org.apache.calcite.sql.SqlAccessType;
import org.apache.calcite.sql.validate.SqlModality;
import org.apache.calcite.sql.validate.SqlMonotonicity;
import org.apache.calcite.util.ImmutableBitSet;

/** A {@link CatalogTable} in the form that Calcite's validator and converter ask for. */
final class PreparedTable extends Prepare.AbstractPreparingTable {
  private static final double UNKNOWN_ROWS = 1_000_000;

  private final CatalogTable table;
  private final List<String> names;
  private final RelOptSchema schema;
  private final RelDataType rowType;

  PreparedTable(
      CatalogTable table, List<String> names, RelOptSchema schema, MillraceTypeFactory types) {
    this.table = table;
    this.names = List.copyOf(names);
    this.schema = schema;
    this.rowType = types.rowType(table.schema());
  }

  CatalogTable catalogTable() {
    return table;
  }

  @Override
  public List<String> getQualifiedName() {
    return names;
  }

  @Override
  public double getRowCount() {
    return table.rowCount().orElse(UNKNOWN_ROWS);
  }

  @Override
  public RelDataType getRowType() {
    return rowType;
  }

  @Override
  public RelOptSchema getRelOptSchema() {
    return schema;
  }

  @Override
  public RelNode toRel(ToRelContext context) {
    return table.toRel(context.getCluster());
  }

  @Override
  public List<RelCollation> getCollationList() {
    return List.of();
  }

  @Override
  public RelDistribution getDistribution() {
    return RelDistributions.ANY;
  }

  @Override
  public boolean isKey(ImmutableBitSet columns) {
    return false;
  }

  @Override
  public List<ImmutableBitSet> getKeys() {
    return List.of();
  }

  @Override
  public List<RelReferentialConstraint> getReferentialConstraints() {
    return List.of();
  }

  @Override
  public Expression getExpression(Class clazz) {
    return null;
  }

  @Override
  public SqlMonotonicity getMonotonicity(String columnName) {
    return SqlMonotonicity.NOT_MONOTONIC;
  }

  @Override
  public SqlAccessType getAllowedAccess() {
    return SqlAccessType.ALL;
  }

  @Override
  public boolean supportsModality(SqlModality modality) {
    return modality == SqlModality.RELATION;
  }

  @Override
  public boolean isTemporal() {
    return false;
  }

  @Override
  public List<ColumnStrategy> getColumnStrategies() {
    return rowType.getFieldList().stream().map(field -> ColumnStrategy.NULLABLE).toList();
  }

  @Override
  protected RelOptTable extend(Table extendedTable) {
    throw new UnsupportedOperationException("Tables cannot be extended.");
  }

  @Override
  public <C> C unwrap(Class<C> type) {
    if (type.isInstance(this)) {
      return type.cast(this);
    }
    Table calciteTable = new CatalogSchema.Entry(this);
    return type.isInstance(calciteTable) ? type.cast(calciteTable) : null;
  }
}
