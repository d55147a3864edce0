package io.millrace.planner.sql;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.planner.sql.parser.TableReferences;
import io.millrace.planner.type.MillraceTypeFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.apache.calcite.config.CalciteConnectionConfig;
import org.apache.calcite.config.CalciteConnectionConfigImpl;
import org.apache.calcite.jdbc.CalciteSchema;
import org.apache.calcite.plan.RelOptPlanner;
import org.apache.calcite.prepare.Prepare;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlSyntax;
import org.apache.calcite.sql.validate.SqlMoniker;
import org.apache.calcite.sql.validate.SqlNameMatcher;
import org.apache.calcite.sql.validate.SqlValidatorUtil;

/**
 * Opens the tables of one statement, each reference once, and remembers them so that errors can
 * suggest their columns.
 */
final class StatementCatalogReader implements Prepare.CatalogReader {
  private final Catalog catalog;
  private final TableReferences references;
  private final ReferenceConstants constants;
  private final MillraceTypeFactory types;
  private final CalciteSchema root;
  private final CalciteConnectionConfig connectionConfig;
  private final Map<TableReference, Optional<PreparedTable>> opened = new HashMap<>();

  StatementCatalogReader(
      Catalog catalog,
      TableReferences references,
      ReferenceConstants constants,
      MillraceTypeFactory types) {
    this.catalog = catalog;
    this.references = references;
    this.constants = constants;
    this.types = types;
    this.root =
        CalciteSchema.createRootSchema(
            false, false, "\u0000root", new CatalogSchema(List.of(), this::open));
    this.connectionConfig = new CalciteConnectionConfigImpl(new Properties());
  }

  /** The tables that the statement has opened so far. */
  List<CatalogTable> openedTables() {
    return opened.values().stream()
        .flatMap(Optional::stream)
        .map(PreparedTable::catalogTable)
        .toList();
  }

  Catalog catalog() {
    return catalog;
  }

  /** The reference that an identifier of the tree stands for. */
  TableReference reference(List<String> names) {
    return references
        .find(names)
        .map(constants::resolve)
        .orElseGet(
            () -> new TableReference(new TableReference.Source.Name(names), Optional.empty()));
  }

  private Optional<PreparedTable> open(List<String> names) {
    TableReference reference = reference(names);
    Optional<PreparedTable> known = opened.get(reference);
    if (known == null) {
      known = catalog.table(reference).map(table -> new PreparedTable(table, names, this, types));
      if (known.isEmpty() && !(reference.source() instanceof TableReference.Source.Name)) {
        throw new MillraceException(
            ErrorCode.UNKNOWN_TABLE, "Nothing is known of this source: " + reference.source());
      }
      opened.put(reference, known);
    }
    return known;
  }

  @Override
  public Prepare.PreparingTable getTable(List<String> names) {
    return open(names).orElse(null);
  }

  @Override
  public Prepare.PreparingTable getTableForMember(List<String> names) {
    return getTable(names);
  }

  @Override
  public Prepare.CatalogReader withSchemaPath(List<String> schemaPath) {
    return this;
  }

  @Override
  public RelDataType getNamedType(SqlIdentifier typeName) {
    return null;
  }

  @Override
  public List<SqlMoniker> getAllSchemaObjectNames(List<String> names) {
    return List.of();
  }

  @Override
  public List<List<String>> getSchemaPaths() {
    return List.of(List.of());
  }

  @Override
  @Deprecated
  public RelDataTypeField field(RelDataType rowType, String alias) {
    return nameMatcher().field(rowType, alias);
  }

  @Override
  public SqlNameMatcher nameMatcher() {
    return FriendlyNameMatcher.INSTANCE;
  }

  @Override
  @Deprecated
  public boolean matches(String string, String name) {
    return nameMatcher().matches(string, name);
  }

  @Override
  public RelDataType createTypeFromProjection(RelDataType type, List<String> columnNameList) {
    return SqlValidatorUtil.createTypeFromProjection(
        type, columnNameList, types, nameMatcher().isCaseSensitive());
  }

  @Override
  @Deprecated
  public boolean isCaseSensitive() {
    return nameMatcher().isCaseSensitive();
  }

  @Override
  public CalciteSchema getRootSchema() {
    return root;
  }

  @Override
  public CalciteConnectionConfig getConfig() {
    return connectionConfig;
  }

  @Override
  public RelDataTypeFactory getTypeFactory() {
    return types;
  }

  @Override
  public void registerRules(RelOptPlanner planner) {}

  @Override
  public <C> C unwrap(Class<C> type) {
    return type.isInstance(this) ? type.cast(this) : null;
  }

  /** Functions come from {@link SqlOperators}. */
  @Override
  public void lookupOperatorOverloads(
      SqlIdentifier operatorName,
      SqlFunctionCategory category,
      SqlSyntax syntax,
      List<SqlOperator> operators,
      SqlNameMatcher matcher) {}

  @Override
  public List<SqlOperator> getOperatorList() {
    return new ArrayList<>();
  }
}
