package io.millrace.planner.sql;

import io.millrace.core.function.FunctionRegistry;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import io.millrace.core.udf.UserFunction;
import io.millrace.planner.type.MillraceTypeFactory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.apache.calcite.plan.Convention;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.rel.AbstractRelNode;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.type.RelDataType;

/** Tables in memory with nothing but a schema; remembers the references it was asked for. */
public final class TestCatalog implements Catalog {
  private static final FunctionRegistry FUNCTIONS = FunctionRegistry.builtIn();

  private final Map<String, Schema> tables = new LinkedHashMap<>();
  private final Map<String, UserFunction> functions = new LinkedHashMap<>();
  private final List<TableReference> asked = new ArrayList<>();

  public TestCatalog table(String name, Field... fields) {
    tables.put(name, Schema.of(fields));
    return this;
  }

  public TestCatalog function(UserFunction function) {
    functions.put(function.name().toLowerCase(java.util.Locale.ROOT), function);
    return this;
  }

  public List<TableReference> asked() {
    return asked;
  }

  @Override
  public Optional<CatalogTable> table(TableReference reference) {
    asked.add(reference);
    return switch (reference.source()) {
      case TableReference.Source.Name(List<String> names) -> find(String.join(".", names));
      case TableReference.Source.Path(String path) -> find(path);
      case TableReference.Source.Function function ->
          find((String) function.arguments().getFirst());
    };
  }

  private Optional<CatalogTable> find(String name) {
    Schema schema = tables.get(name);
    if (schema == null) {
      return tables.entrySet().stream()
          .filter(entry -> entry.getKey().equalsIgnoreCase(name))
          .findFirst()
          .map(entry -> new TestTable(entry.getKey(), entry.getValue()));
    }
    return Optional.of(new TestTable(name, schema));
  }

  @Override
  public List<String> tableNames() {
    return List.copyOf(tables.keySet());
  }

  @Override
  public FunctionRegistry functions() {
    return FUNCTIONS;
  }

  @Override
  public Optional<UserFunction> userFunction(String name) {
    return Optional.ofNullable(functions.get(name.toLowerCase(java.util.Locale.ROOT)));
  }

  @Override
  public List<String> userFunctionNames() {
    return List.copyOf(functions.keySet());
  }

  private record TestTable(String name, Schema schema) implements CatalogTable {
    @Override
    public OptionalDouble rowCount() {
      return OptionalDouble.empty();
    }

    @Override
    public RelNode toRel(RelOptCluster cluster) {
      return new TestScan(cluster, name, schema);
    }
  }

  private static final class TestScan extends AbstractRelNode {
    private final String name;
    private final Schema schema;

    TestScan(RelOptCluster cluster, String name, Schema schema) {
      super(cluster, cluster.traitSetOf(Convention.NONE));
      this.name = name;
      this.schema = schema;
    }

    @Override
    protected RelDataType deriveRowType() {
      return ((MillraceTypeFactory) getCluster().getTypeFactory()).rowType(schema);
    }

    @Override
    public RelWriter explainTerms(RelWriter writer) {
      return super.explainTerms(writer).item("table", name);
    }
  }
}
