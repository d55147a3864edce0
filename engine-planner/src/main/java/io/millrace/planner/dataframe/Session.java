package io.millrace.planner.dataframe;

import io.millrace.core.config.Configuration;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.spi.ResultStream;
import io.millrace.core.spi.WriteMode;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import io.millrace.core.udf.UserFunction;
import io.millrace.planner.logical.FunctionBinding;
import io.millrace.planner.logical.IdlePlanner;
import io.millrace.planner.logical.InlineRows;
import io.millrace.planner.logical.Literals;
import io.millrace.planner.sql.SqlScript;
import io.millrace.planner.type.MillraceTypeFactory;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.rel.RelNode;

/**
 * Where queries are made and run: a catalog, a configuration, the functions, and a runner, in this
 * process or on a cluster. Closing it ends its queries and frees everything. Safe for use by
 * several threads.
 */
public final class Session implements AutoCloseable {
  private static final URI LOCAL = URI.create("local:/");
  private static final String ADDRESS_PROPERTY = "millrace.address";
  private static final String SETTING_PROPERTY_PREFIX = "millrace.setting.";

  private final SessionServices services;
  private final RelOptCluster cluster;
  private final FunctionBinding binding;
  private final OpenTables openTables = new OpenTables();
  private final Sources sources;
  private final Relations relations;
  private final Catalog catalog = new Catalog();
  private final QueryPlanning planning;
  private final StoredTables stored = new StoredTables(this);
  private final FunctionClasses functionClasses = new FunctionClasses();
  private final Map<String, UserFunction> userFunctions = new ConcurrentHashMap<>();
  private volatile Configuration configuration;
  private volatile boolean closed;

  private Session(SessionServices services) {
    this.services = services;
    this.cluster = IdlePlanner.cluster(new MillraceTypeFactory());
    this.binding = new FunctionBinding(cluster.getRexBuilder(), services.functions());
    this.sources =
        new Sources(
            services.connectors(),
            () -> services.connectorContext().with(configuration),
            openTables,
            cluster);
    this.relations = new Relations(cluster.getRexBuilder(), binding, this);
    this.planning = new QueryPlanning(services, binding);
    this.configuration = services.configuration();
  }

  /** A Session that runs its queries in this process. */
  public static Session local() {
    return local(Configuration.DEFAULTS);
  }

  /** A Session that runs its queries in this process. */
  public static Session local(Configuration configuration) {
    return of(ServiceDiscovery.discover(LOCAL, configuration, Optional.empty()));
  }

  /**
   * A Session whose queries run on a cluster.
   *
   * @param address {@code millrace://host:port} of the coordinator
   * @throws MillraceException COORDINATOR_UNREACHABLE, USAGE_ERROR
   */
  public static Session connect(String address) {
    return connect(address, Configuration.DEFAULTS);
  }

  /** As {@link #connect(String)}, with settings. */
  public static Session connect(String address, Configuration configuration) {
    return connect(address, configuration, Optional.empty());
  }

  /**
   * As {@link #connect(String)}, for a job whose classes are in a jar that the cluster has.
   *
   * @param jarHash SHA-256 (hex) of the jar
   */
  public static Session connect(
      String address, Configuration configuration, Optional<String> jarHash) {
    return of(ServiceDiscovery.discover(address(address), configuration, jarHash));
  }

  private static URI address(String text) {
    try {
      return URI.create(text.contains(":/") ? text : "millrace://" + text);
    } catch (IllegalArgumentException failure) {
      throw new MillraceException(
          ErrorCode.USAGE_ERROR,
          "An address looks like millrace://host:port: '" + text + "'",
          failure);
    }
  }

  /**
   * The Session that whoever runs this program chose: the runner's address is in the system
   * property {@code millrace.address} (this process without it), settings in {@code
   * millrace.setting.NAME}. Pipelines that are submitted use it.
   */
  public static Session open() {
    Configuration chosen = Configuration.ofEnvironment(System.getenv());
    for (String property : System.getProperties().stringPropertyNames()) {
      if (property.startsWith(SETTING_PROPERTY_PREFIX)) {
        chosen =
            chosen.with(
                property.substring(SETTING_PROPERTY_PREFIX.length()), System.getProperty(property));
      }
    }
    String address = System.getProperty(ADDRESS_PROPERTY);
    return address == null || address.isBlank() ? local(chosen) : connect(address, chosen);
  }

  /** A Session over the given services, which it owns. */
  public static Session of(SessionServices services) {
    return new Session(services);
  }

  RelOptCluster cluster() {
    requireOpen();
    return cluster;
  }

  FunctionBinding binding() {
    return binding;
  }

  Relations relations() {
    requireOpen();
    return relations;
  }

  Sources sources() {
    requireOpen();
    return sources;
  }

  SessionServices services() {
    return services;
  }

  StoredTables stored() {
    return stored;
  }

  FunctionClasses functionClasses() {
    return functionClasses;
  }

  DataFrame frame(RelNode node) {
    return new DataFrame(this, Relation.of(node));
  }

  /** The registered functions by lower-case name. */
  Map<String, UserFunction> userFunctions() {
    return userFunctions;
  }

  static MillraceException alreadyClosed() {
    return new MillraceException(ErrorCode.INVALID_ARGUMENT, "The Session is closed.");
  }

  private void requireOpen() {
    if (closed) {
      throw alreadyClosed();
    }
  }

  public Configuration configuration() {
    return configuration;
  }

  /** For what callers make out of this Session's batches; they close it before the Session. */
  public BufferAllocator allocator() {
    return services.connectorContext().allocator();
  }

  /** Changes a setting for the queries that follow. */
  public Session set(String name, String value) {
    configuration = configuration.with(name, value);
    return this;
  }

  /** The named tables and views. */
  public Catalog catalog() {
    return catalog;
  }

  /** The table or view of this name. */
  public DataFrame table(String name) {
    return catalog.require(name);
  }

  /**
   * Makes the function callable by its name, in SQL and in {@code call(name, …)}; replaces one that
   * was registered before.
   *
   * @throws MillraceException DUPLICATE_NAME when a built-in function has the name
   */
  public Session register(UserFunction function) {
    if (services.functions().find(function.name()).isPresent()) {
      throw new MillraceException(
          ErrorCode.DUPLICATE_NAME,
          "A built-in function has this name; choose another: '" + function.name() + "'");
    }
    userFunctions.put(function.name().toLowerCase(Locale.ROOT), function);
    return this;
  }

  /** Opens files and tables. */
  public DataFrameReader read() {
    requireOpen();
    return new DataFrameReader(this, Optional.empty(), Map.of());
  }

  /**
   * Rows from Java values.
   *
   * @param rows one list per row, one value per column, null for NULL; numbers are brought to the
   *     column's type
   */
  public DataFrame fromRows(Schema schema, List<? extends List<?>> rows) {
    List<List<Object>> converted = new ArrayList<>();
    for (List<?> row : rows) {
      if (row.size() != schema.size()) {
        throw new MillraceException(
            ErrorCode.SCHEMA_MISMATCH,
            "A row has one value per column: "
                + row.size()
                + " values, "
                + schema.size()
                + " columns");
      }
      List<Object> values = new ArrayList<>();
      for (Object value : row) {
        values.add(Literals.convert(value, schema.field(values.size()).type()));
      }
      converted.add(values);
    }
    return frame(InlineRows.of(cluster(), schema, converted));
  }

  /** Rows from Java values; the types follow from the classes of the first row's values. */
  public DataFrame values(List<String> names, Object[]... rows) {
    List<Field> fields = new ArrayList<>();
    for (String name : names) {
      int column = fields.size();
      DataType type =
          Arrays.stream(rows)
              .filter(row -> row[column] != null)
              .findFirst()
              .map(row -> Literals.typeOf(row[column]))
              .orElse(DataType.NULL);
      fields.add(Field.nullable(name, type));
    }
    return fromRows(new Schema(fields), Arrays.stream(rows).map(Arrays::asList).toList());
  }

  /**
   * The statements of a text, which are separated by semicolons.
   *
   * @param parameters JSON text by name, for {@code :name}
   * @throws MillraceException SYNTAX_ERROR with line and column
   */
  public List<Statement> statements(String sql, Map<String, String> parameters) {
    requireOpen();
    SqlScript script = SqlScript.parse(sql);
    List<Statement> statements = new ArrayList<>();
    for (int index = 0; index < script.size(); index++) {
      statements.add(new Statement(this, script, index, parameters));
    }
    return statements;
  }

  /**
   * One statement. A query runs when its rows are read; any other is done at once and gives one row
   * that says what was done and how many rows it wrote.
   */
  public DataFrame sql(String text) {
    return sql(text, Map.of());
  }

  /**
   * As {@link #sql(String)}, with values for {@code :name}: numbers, text, booleans, null, lists
   * and arrays of them.
   */
  public DataFrame sql(String text, Map<String, ?> parameters) {
    return switch (execute(text, parameters)) {
      case StatementResult.Rows(DataFrame rows) -> rows;
      case StatementResult.Done done ->
          fromRows(
              Schema.of(
                  Field.required("action", DataType.STRING),
                  Field.required("rows", DataType.INT64)),
              List.of(List.of(done.action(), done.rows())));
    };
  }

  /** Does one statement; a query is only made ready and runs when its rows are read. */
  public StatementResult execute(String text, Map<String, ?> parameters) {
    Map<String, String> json = new TreeMap<>();
    parameters.forEach((name, value) -> json.put(name, ParameterJson.of(value)));
    List<Statement> statements = statements(text, json);
    if (statements.size() != 1) {
      throw new MillraceException(
          ErrorCode.SYNTAX_ERROR,
          "One statement is expected here; use statements(…) for several: " + statements.size());
    }
    return statements.getFirst().execute();
  }

  ResultStream run(Relation query) {
    requireOpen();
    return planning.run(query, configuration);
  }

  String explain(Relation query, ExplainPhase phase) {
    requireOpen();
    return planning.explain(query, configuration, phase);
  }

  String explainAnalyze(Relation query) {
    requireOpen();
    return planning.explainAnalyze(query, configuration);
  }

  WriteResult write(
      Relation rows,
      Optional<String> format,
      String uri,
      WriteMode mode,
      Map<String, String> options) {
    requireOpen();
    String connector = format.orElseGet(() -> sources.ofPath(uri).name());
    return new WriteExecution(services, planning)
        .write(rows, configuration, connector, uri, mode, options);
  }

  /** Ends running queries and frees everything; again does nothing. */
  @Override
  public void close() {
    if (!closed) {
      closed = true;
      List<AutoCloseable> all = new ArrayList<>(services.owned());
      all.add(functionClasses);
      all.add(stored);
      all.add(openTables);
      MillraceException failure = closeAll(all, null);
      if (failure != null) {
        throw failure;
      }
    }
  }

  /**
   * Closes all, last first.
   *
   * @param earlier gets what fails as suppressed; may be null
   * @return the first failure when there is no earlier one, else null
   */
  static MillraceException closeAll(List<AutoCloseable> all, RuntimeException earlier) {
    MillraceException first = null;
    for (AutoCloseable closeable : all.reversed()) {
      try {
        closeable.close();
      } catch (Exception failure) {
        if (earlier != null) {
          earlier.addSuppressed(failure);
        } else if (first == null) {
          first = MillraceException.of(failure);
        } else {
          first.addSuppressed(failure);
        }
      }
    }
    return first;
  }
}
