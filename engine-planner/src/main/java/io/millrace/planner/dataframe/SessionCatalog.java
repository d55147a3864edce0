package io.millrace.planner.dataframe;

import io.millrace.core.function.FunctionRegistry;
import io.millrace.core.type.Schema;
import io.millrace.core.udf.UserFunction;
import io.millrace.planner.sql.Catalog;
import io.millrace.planner.sql.CatalogTable;
import io.millrace.planner.sql.TableReference;
import io.millrace.planner.statistics.Estimates;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.rel.RelNode;

/** What names in SQL mean in a Session. */
final class SessionCatalog implements Catalog {
  private final Session session;

  SessionCatalog(Session session) {
    this.session = session;
  }

  /** Rows under a name. */
  private record RelationTable(String name, Relation relation) implements CatalogTable {
    @Override
    public Schema schema() {
      return relation.schema();
    }

    @Override
    public OptionalDouble rowCount() {
      return new Estimates(true).rows(relation.node());
    }

    @Override
    public RelNode toRel(RelOptCluster cluster) {
      return relation.node();
    }
  }

  @Override
  public Optional<CatalogTable> table(TableReference reference) {
    Map<String, String> pin = pin(reference.version());
    return switch (reference.source()) {
      case TableReference.Source.Name(List<String> names) -> named(names, pin);
      case TableReference.Source.Path(String path) ->
          Optional.of(
              new RelationTable(
                  path, Relation.of(session.sources().open(Optional.empty(), List.of(path), pin))));
      case TableReference.Source.Function function ->
          Optional.of(
              new RelationTable(function.name(), new TableFunctions(session).rows(function, pin)));
    };
  }

  private Optional<CatalogTable> named(List<String> names, Map<String, String> pin) {
    Optional<DataFrame> known = session.catalog().find(String.join(".", names));
    return known.map(
        frame ->
            new RelationTable(
                names.getLast(),
                pin.isEmpty() ? frame.relation() : Versions.pinned(session, frame, pin)));
  }

  /** The version as the option that connectors with versions take. */
  private static Map<String, String> pin(Optional<TableReference.Version> version) {
    Map<String, String> options = new TreeMap<>();
    version.ifPresent(
        given -> {
          switch (given) {
            case TableReference.Version.Number(long number) ->
                options.put("version", String.valueOf(number));
            case TableReference.Version.Tag(String tag) -> options.put("tag", tag);
            case TableReference.Version.Time(Object time) ->
                options.put("timestamp", time.toString());
          }
        });
    return options;
  }

  @Override
  public List<String> tableNames() {
    return session.catalog().names();
  }

  @Override
  public FunctionRegistry functions() {
    return session.services().functions();
  }

  @Override
  public Optional<UserFunction> userFunction(String name) {
    return Optional.ofNullable(session.userFunctions().get(name.toLowerCase(Locale.ROOT)));
  }

  @Override
  public List<String> userFunctionNames() {
    return List.copyOf(session.userFunctions().keySet());
  }
}
