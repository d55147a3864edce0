package io.millrace.planner.physical;

import io.millrace.core.config.Configuration;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.function.FunctionRegistry;
import io.millrace.core.plan.OrderKey;
import io.millrace.core.plan.Partitioning;
import io.millrace.core.plan.PhysicalExpression;
import io.millrace.core.plan.PhysicalPlan;
import io.millrace.core.spi.ScanSpecification;
import io.millrace.core.spi.SinkSpecification;
import io.millrace.core.spi.SourceReference;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Schema;
import io.millrace.planner.logical.Expand;
import io.millrace.planner.logical.Fetch;
import io.millrace.planner.logical.InlineRows;
import io.millrace.planner.logical.Recursion;
import io.millrace.planner.logical.SourceScan;
import io.millrace.planner.logical.UdfCall;
import io.millrace.planner.logical.Unnest;
import io.millrace.planner.logical.Window;
import io.millrace.planner.logical.WorkTable;
import io.millrace.planner.type.MillraceTypeFactory;
import java.math.BigDecimal;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.calcite.plan.RelOptSamplingParameters;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.Sample;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.core.Union;
import org.apache.calcite.rel.core.Values;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;

/**
 * Turns an optimized logical plan into core's records. Exchanges are always inserted where rows
 * must move for the result to be right on any number of partitions; a runner with one process may
 * leave them out. Used once per query.
 */
public final class PhysicalPlanner {
  /** Fewer rows than this are fetched where they are. */
  private static final int LEAST_SPREAD_ROWS = 8;

  private final NodeIds ids = new NodeIds();
  private final int parallelism;
  private final UdfEncoder udfEncoder;
  private final ExpressionPlanner expressions;
  private final JoinPlanner joins;
  private final AggregatePlanner aggregates;
  private final Deque<OpenRecursion> recursions = new ArrayDeque<>();
  private final WindowPlanner windows;
  private final Map<Integer, RelNode> origins = new HashMap<>();

  /**
   * @param parallelism tasks that may run side by side; asks sources for about as many splits
   */
  public PhysicalPlanner(
      FunctionRegistry registry,
      Configuration configuration,
      RelNode root,
      UdfEncoder udfEncoder,
      int parallelism) {
    this.parallelism = parallelism;
    this.udfEncoder = udfEncoder;
    this.expressions = new ExpressionPlanner(registry, root.getCluster().getRexBuilder());
    this.joins = new JoinPlanner(ids, expressions, configuration);
    this.aggregates = new AggregatePlanner(ids, registry);
    this.windows = new WindowPlanner(ids);
  }

  /**
   * The plan of a query; its rows go to the client.
   *
   * @param result names and types of the result's columns
   */
  public PhysicalPlan plan(RelNode root, Schema result) {
    PhysicalPlan plan = visit(root).plan();
    boolean same =
        plan.outputSchema().names().equals(result.names())
            && plan.outputSchema().types().equals(result.types());
    return same ? plan : renamed(plan, result);
  }

  /** The plan of a write; its rows are fragments for the commit. */
  public PhysicalPlan planWrite(RelNode root, Schema rows, SinkSpecification sink) {
    PhysicalPlan plan = plan(root, rows);
    return new PhysicalPlan.Write(ids.next(), plan, sink);
  }

  /** A projection at the top takes the names itself. */
  private PhysicalPlan renamed(PhysicalPlan plan, Schema result) {
    if (plan instanceof PhysicalPlan.Project project
        && plan.outputSchema().types().equals(result.types())) {
      return new PhysicalPlan.Project(project.id(), project.input(), project.expressions(), result);
    }
    return withTypes(plan, result);
  }

  /** What each node of the plan was made from, by the node's id; not all nodes have one. */
  public Map<Integer, RelNode> origins() {
    return Map.copyOf(origins);
  }

  private Placed visit(RelNode node) {
    Placed placed = plan(node);
    origins.put(placed.plan().id(), node);
    return placed;
  }

  private Placed plan(RelNode node) {
    return switch (node) {
      case SourceScan scan -> scan(scan);
      case InlineRows rows -> inline(rows);
      case Values values -> inline(InlineRows.of(values));
      case Filter filter -> filter(filter);
      case Project project -> project(project);
      case Join join -> joins.plan(join, visit(join.getLeft()), visit(join.getRight()));
      case Aggregate aggregate -> aggregates.plan(aggregate, visit(aggregate.getInput()));
      case Sort sort -> sort(sort);
      case Union union -> union(union);
      case Window window -> windows.plan(window, visit(window.getInput()));
      case UdfCall call -> udf(call);
      case Fetch fetch -> fetch(fetch);
      case Expand expand -> expand(expand);
      case Recursion recursion -> recursion(recursion);
      case WorkTable table -> workTable(table);
      case Unnest unnest -> unnest(unnest);
      case Sample sample -> sample(sample);
      default ->
          throw new MillraceException(
              ErrorCode.UNSUPPORTED_SQL,
              "No operator runs this part of the query: " + node.getRelTypeName());
    };
  }

  private static Schema schema(RelNode node) {
    return MillraceTypeFactory.schema(node.getRowType());
  }

  private Placed scan(SourceScan scan) {
    Schema tableSchema = scan.table().schema();
    SourceReference reference = scan.table().reference();
    List<ScanSpecification.ScanColumn> columns = new ArrayList<>();
    for (SourceScan.ScanColumn column : scan.columns()) {
      if (column.output().type() instanceof DataType.Reference known) {
        reference = reference.withSourceId(known.sourceId());
      }
      columns.add(
          new ScanSpecification.ScanColumn(
              tableSchema.field(column.tableColumn()).name(), column.output()));
    }
    List<PhysicalExpression> filters = scan.filters().stream().map(expressions::plan).toList();
    ScanSpecification specification =
        new ScanSpecification(reference, tableSchema, columns, filters, scan.limit());
    return new Placed(
        new PhysicalPlan.Scan(
            ids.next(), specification, scan.table().table().splits(specification, parallelism)),
        Distribution.ANYWHERE);
  }

  private Placed inline(InlineRows rows) {
    return new Placed(
        new PhysicalPlan.Values(ids.next(), rows.schema(), rows.rows()), Distribution.SINGLE);
  }

  private Placed filter(Filter filter) {
    Placed input = visit(filter.getInput());
    return input.with(
        new PhysicalPlan.Filter(ids.next(), input.plan(), expressions.plan(filter.getCondition())));
  }

  private Placed project(Project project) {
    Placed input = visit(project.getInput());
    Schema schema = schema(project);
    List<PhysicalExpression> outputs = new ArrayList<>();
    for (RexNode expression : project.getProjects()) {
      outputs.add(expressions.planAs(expression, schema.field(outputs.size()).type()));
    }
    return new Placed(
        new PhysicalPlan.Project(ids.next(), input.plan(), outputs, schema),
        moved(input.distribution(), outputs));
  }

  /** Hash keys that pass through a projection keep their rows together under their new places. */
  private static Distribution moved(Distribution distribution, List<PhysicalExpression> outputs) {
    if (!(distribution instanceof Distribution.Hashed hashed)) {
      return distribution;
    }
    List<Integer> keys = new ArrayList<>();
    for (int key : hashed.keys()) {
      int place = -1;
      for (int output = 0; output < outputs.size() && place < 0; output++) {
        place =
            outputs.get(output) instanceof PhysicalExpression.Input input && input.index() == key
                ? output
                : -1;
      }
      if (place < 0) {
        return Distribution.ANYWHERE;
      }
      keys.add(place);
    }
    return new Distribution.Hashed(keys);
  }

  private Placed sort(Sort sort) {
    Placed input = visit(sort.getInput());
    List<OrderKey> keys =
        sort.getCollation().getFieldCollations().stream().map(PhysicalPlanner::key).toList();
    long offset = sort.offset == null ? 0 : count(sort.offset);
    if (sort.fetch != null) {
      return limited(input, keys, offset, count(sort.fetch));
    }
    Placed sorted = keys.isEmpty() ? single(input, keys) : ordered(input, keys);
    return offset == 0
        ? sorted
        : sorted.with(new PhysicalPlan.Limit(ids.next(), sorted.plan(), offset, Long.MAX_VALUE));
  }

  private Placed ordered(Placed input, List<OrderKey> keys) {
    Placed sorted = input.with(new PhysicalPlan.Sort(ids.next(), input.plan(), keys));
    return single(sorted, keys);
  }

  /** The first rows of each partition, then the first of all. */
  private Placed limited(Placed input, List<OrderKey> keys, long offset, long limit) {
    Placed first = input;
    if (!input.isSingle()) {
      long most = offset > Long.MAX_VALUE - limit ? Long.MAX_VALUE : offset + limit;
      first = single(input.with(limit(input.plan(), keys, 0, most)), List.of());
    }
    return first.with(limit(first.plan(), keys, offset, limit));
  }

  private PhysicalPlan limit(PhysicalPlan input, List<OrderKey> keys, long offset, long limit) {
    return keys.isEmpty()
        ? new PhysicalPlan.Limit(ids.next(), input, offset, limit)
        : new PhysicalPlan.TopN(ids.next(), input, keys, offset, limit);
  }

  private Placed single(Placed input, List<OrderKey> mergeKeys) {
    return input.isSingle()
        ? input
        : new Placed(
            new PhysicalPlan.Exchange(ids.next(), input.plan(), new Partitioning.Single(mergeKeys)),
            Distribution.SINGLE);
  }

  static OrderKey key(RelFieldCollation collation) {
    boolean descending = collation.direction.isDescending();
    boolean nullsFirst =
        switch (collation.nullDirection) {
          case FIRST -> true;
          case LAST -> false;
          case UNSPECIFIED -> descending;
        };
    return new OrderKey(collation.getFieldIndex(), descending, nullsFirst);
  }

  private static long count(RexNode literal) {
    if (literal instanceof RexLiteral known) {
      BigDecimal value = known.getValueAs(BigDecimal.class);
      return value.min(BigDecimal.valueOf(Long.MAX_VALUE)).longValue();
    }
    throw new MillraceException(
        ErrorCode.UNSUPPORTED_SQL, "LIMIT and OFFSET are constants: " + literal);
  }

  private Placed union(Union union) {
    List<Placed> inputs = union.getInputs().stream().map(this::visit).toList();
    boolean single = inputs.stream().allMatch(Placed::isSingle);
    Schema schema = schema(union);
    List<PhysicalPlan> plans = new ArrayList<>();
    for (Placed input : inputs) {
      PhysicalPlan plan =
          input.plan().outputSchema().types().equals(schema.types())
              ? input.plan()
              : withTypes(input.plan(), schema);
      plans.add(
          single || !input.isSingle()
              ? plan
              : new PhysicalPlan.Exchange(ids.next(), plan, new Partitioning.RoundRobin()));
    }
    return new Placed(
        new PhysicalPlan.Union(ids.next(), plans, schema),
        single ? Distribution.SINGLE : Distribution.ANYWHERE);
  }

  /** The input's columns with other names and types. */
  private PhysicalPlan withTypes(PhysicalPlan input, Schema schema) {
    List<PhysicalExpression> outputs = new ArrayList<>();
    for (DataType type : input.outputSchema().types()) {
      DataType wanted = schema.field(outputs.size()).type();
      outputs.add(
          ExpressionPlanner.cast(new PhysicalExpression.Input(outputs.size(), type), wanted));
    }
    return new PhysicalPlan.Project(ids.next(), input, outputs, schema);
  }

  private Placed udf(UdfCall call) {
    Placed input = visit(call.getInput());
    return input.with(
        new PhysicalPlan.Udf(
            ids.next(),
            input.plan(),
            udfEncoder.encode(call.function()),
            call.arguments(),
            call.output()));
  }

  private Placed expand(Expand expand) {
    Placed input = visit(expand.getInput());
    List<List<PhysicalExpression>> projections = new ArrayList<>();
    for (List<RexNode> projection : expand.projections()) {
      List<PhysicalExpression> outputs = new ArrayList<>();
      for (RexNode output : projection) {
        outputs.add(expressions.planAs(output, expand.schema().field(outputs.size()).type()));
      }
      projections.add(outputs);
    }
    return new Placed(
        new PhysicalPlan.Expand(ids.next(), input.plan(), projections, expand.schema()),
        input.isSingle() ? Distribution.SINGLE : Distribution.ANYWHERE);
  }

  /** A recursive query that is being planned. */
  private static final class OpenRecursion {
    private final String name;
    private int workTable = -1;

    OpenRecursion(String name) {
      this.name = name;
    }
  }

  /** The step runs in one task, wherever the recursion does. */
  private Placed recursion(Recursion recursion) {
    Placed seed = single(visit(recursion.getLeft()), List.of());
    OpenRecursion open = new OpenRecursion(recursion.name());
    recursions.push(open);
    PhysicalPlan step = single(visit(recursion.getRight()), List.of()).plan();
    recursions.pop();
    Schema schema = recursion.schema();
    return new Placed(
        new PhysicalPlan.Recursion(
            ids.next(),
            renamed(seed.plan(), schema),
            renamed(step, schema),
            open.workTable,
            recursion.all(),
            schema),
        Distribution.SINGLE);
  }

  private Placed workTable(WorkTable table) {
    OpenRecursion open =
        recursions.stream()
            .filter(one -> one.name.equals(table.name()))
            .findFirst()
            .orElseThrow(
                () ->
                    new MillraceException(
                        ErrorCode.INVALID_PLAN, "A work table has no recursion: " + table.name()));
    if (open.workTable >= 0) {
      throw new MillraceException(
          ErrorCode.UNSUPPORTED_SQL,
          "A recursive query reads itself once in its second part: " + table.name());
    }
    open.workTable = ids.next();
    return new Placed(
        new PhysicalPlan.StageInput(open.workTable, -1, table.schema()), Distribution.SINGLE);
  }

  private Placed unnest(Unnest unnest) {
    Placed input = visit(unnest.getInput());
    return new Placed(
        new PhysicalPlan.Unnest(
            ids.next(),
            input.plan(),
            unnest.kept(),
            unnest.lists(),
            unnest.ordinality(),
            unnest.outer(),
            schema(unnest)),
        input.isSingle() ? Distribution.SINGLE : Distribution.ANYWHERE);
  }

  private Placed sample(Sample sample) {
    Placed input = visit(sample.getInput());
    RelOptSamplingParameters parameters = sample.getSamplingParameters();
    return input.with(
        new PhysicalPlan.Sample(
            ids.next(),
            input.plan(),
            parameters.sampleRate.doubleValue(),
            !parameters.isBernoulli(),
            parameters.isRepeatable()
                ? OptionalLong.of(parameters.getRepeatableSeed())
                : OptionalLong.empty()));
  }

  /**
   * Values are taken, and mostly decoded, above this node: when only a few tasks have rows, the
   * references are spread first, while they are small. Equal references stay together.
   */
  private Placed fetch(Fetch fetch) {
    Placed input = visit(fetch.getInput());
    PhysicalPlan rows = input.plan();
    Distribution distribution = input.distribution();
    // a bound, not an estimate: too few tasks cost more than an exchange
    boolean few =
        fetch.getCluster().getMetadataQuery().getMaxRowCount(fetch.getInput()) < LEAST_SPREAD_ROWS;
    if (TaskWidth.of(rows) < parallelism && !few && !TaskWidth.isOrdered(rows)) {
      List<Integer> address = List.of(fetch.columns().getFirst().inputIndex());
      rows = new PhysicalPlan.Exchange(ids.next(), rows, new Partitioning.Hash(address));
      distribution = Distribution.ANYWHERE;
    }
    boolean keyIsFetched =
        distribution instanceof Distribution.Hashed(List<Integer> keys)
            && fetch.columns().stream().anyMatch(column -> keys.contains(column.inputIndex()));
    return new Placed(
        new PhysicalPlan.Fetch(ids.next(), rows, fetch.source(), fetch.columns()),
        keyIsFetched ? Distribution.ANYWHERE : distribution);
  }
}
