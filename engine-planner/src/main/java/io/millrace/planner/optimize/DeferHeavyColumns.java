package io.millrace.planner.optimize;

import io.millrace.core.config.Configuration;
import io.millrace.core.config.Settings;
import io.millrace.core.plan.FetchColumn;
import io.millrace.core.spi.SourceReference;
import io.millrace.core.spi.TableStatistics;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.planner.logical.Fetch;
import io.millrace.planner.logical.SourceScan;
import io.millrace.planner.logical.UdfCall;
import io.millrace.planner.logical.Window;
import io.millrace.planner.type.MillraceTypeFactory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.core.Union;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * Reads heavy columns as row references and fetches the values right below the first node that
 * reads them, or at the top. A column that is fetched stays a value from there on, so nothing is
 * fetched twice. Where no row is dropped between scan and reader, the scan gives the value itself:
 * reading a column from end to end is cheaper than taking its rows.
 *
 * <pre>
 * Project [id, decode(image)]               Project [id, decode(image)]
 *   Join INNER                        →       Fetch image
 *     Scan t [id, image]                        Join INNER
 *     Scan u [id]                                 Scan t [id, reference(image)]
 *                                                 Scan u [id]
 * </pre>
 */
final class DeferHeavyColumns {
  private final boolean enabled;
  private final long leastBytes;
  private final Map<SourceReference, Integer> sourceIds = new LinkedHashMap<>();

  DeferHeavyColumns(Configuration configuration) {
    this.enabled = configuration.value(Settings.LAZY_COLUMNS);
    this.leastBytes = configuration.value(Settings.HEAVY_VALUE_BYTES);
  }

  RelNode rewrite(RelNode root) {
    RelNode deferred = defer(root);
    return fetched(deferred, references(deferred).asList());
  }

  private RelNode defer(RelNode node) {
    List<RelNode> inputs = node.getInputs().stream().map(this::defer).toList();
    return switch (node) {
      case SourceScan scan -> scan(scan);
      case Filter filter -> filter(filter, inputs.getFirst());
      case Project project -> project(project, inputs.getFirst());
      case Join join -> join(join, inputs.getFirst(), inputs.getLast());
      case Aggregate aggregate -> over(aggregate, inputs.getFirst(), columnsRead(aggregate));
      case Sort sort ->
          over(sort, inputs.getFirst(), ImmutableBitSet.of(sort.getCollation().getKeys()));
      case UdfCall call -> over(call, inputs.getFirst(), ImmutableBitSet.of(call.arguments()));
      case Window window -> over(window, inputs.getFirst(), columnsRead(window));
      case Union union -> union(union, inputs);
      default ->
          inputs.isEmpty()
              ? node
              : Rewriting.copy(
                  node, inputs.stream().map(one -> over(one, references(one))).toList());
    };
  }

  private RelNode scan(SourceScan scan) {
    List<SourceScan.ScanColumn> columns = new ArrayList<>();
    for (SourceScan.ScanColumn column : scan.columns()) {
      Field source = scan.table().schema().field(column.tableColumn());
      if (isHeavy(scan, source)) {
        SourceReference reference = scan.table().reference();
        int id = sourceIds.computeIfAbsent(reference, unused -> sourceIds.size() + 1);
        DataType type = new DataType.Reference(id, source.name(), source.type());
        columns.add(
            new SourceScan.ScanColumn(column.tableColumn(), column.output().withType(type)));
      } else {
        columns.add(column);
      }
    }
    return columns.equals(scan.columns()) ? scan : scan.withColumns(columns);
  }

  private boolean isHeavy(SourceScan scan, Field column) {
    if (!enabled || !scan.table().heavyColumns().contains(column.name())) {
      return false;
    }
    TableStatistics.ColumnStatistics known = scan.table().statistics().columns().get(column.name());
    return known == null
        || known.averageBytes().isEmpty()
        || known.averageBytes().getAsLong() >= leastBytes;
  }

  /** The columns that are references. */
  private static ImmutableBitSet references(RelNode node) {
    ImmutableBitSet.Builder columns = ImmutableBitSet.builder();
    for (int column = 0; column < node.getRowType().getFieldCount(); column++) {
      if (reference(node, column).isPresent()) {
        columns.set(column);
      }
    }
    return columns.build();
  }

  private static Optional<DataType.Reference> reference(RelNode node, int column) {
    DataType type =
        MillraceTypeFactory.dataType(node.getRowType().getFieldList().get(column).getType());
    return type instanceof DataType.Reference known ? Optional.of(known) : Optional.empty();
  }

  private RelNode over(RelNode node, RelNode input, ImmutableBitSet read) {
    return Rewriting.copy(node, List.of(over(input, read)));
  }

  /** The input with these of its columns fetched. */
  private RelNode over(RelNode input, ImmutableBitSet read) {
    return fetched(input, read.intersect(references(input)).asList());
  }

  private RelNode filter(Filter filter, RelNode input) {
    ImmutableBitSet references = references(input);
    SplitConjuncts split =
        SplitConjuncts.of(
            filter.getCondition(),
            conjunct -> !Rewriting.columnsOf(conjunct).intersects(references));
    RelNode below = Rewriting.filter(input, split.moving());
    if (split.staying().isEmpty()) {
      return below;
    }
    ImmutableBitSet read = ImmutableBitSet.of();
    for (RexNode conjunct : split.staying()) {
      read = read.union(Rewriting.columnsOf(conjunct));
    }
    return Rewriting.filter(over(below, read), split.staying());
  }

  private RelNode project(Project project, RelNode input) {
    ImmutableBitSet read = ImmutableBitSet.of();
    for (RexNode output : project.getProjects()) {
      if (!(output instanceof RexInputRef)) {
        read = read.union(Rewriting.columnsOf(output));
      }
    }
    return over(project, input, read);
  }

  private RelNode join(Join join, RelNode left, RelNode right) {
    int leftColumns = left.getRowType().getFieldCount();
    int rightColumns = right.getRowType().getFieldCount();
    ImmutableBitSet read = Rewriting.columnsOf(join.getCondition());
    ImmutableBitSet leftRead = read.intersect(ImmutableBitSet.range(leftColumns));
    ImmutableBitSet rightRead = read.except(ImmutableBitSet.range(leftColumns)).shift(-leftColumns);
    return Rewriting.copy(
        join,
        List.of(
            over(left, leftRead),
            over(right, rightRead.intersect(ImmutableBitSet.range(rightColumns)))));
  }

  private static ImmutableBitSet columnsRead(Window window) {
    ImmutableBitSet.Builder read = ImmutableBitSet.builder();
    window.partitionKeys().forEach(read::set);
    window.orderKeys().forEach(key -> read.set(key.column()));
    window.calls().forEach(call -> call.columns().forEach(read::set));
    return read.build();
  }

  private static ImmutableBitSet columnsRead(Aggregate aggregate) {
    ImmutableBitSet read = aggregate.getGroupSet();
    for (AggregateCall call : aggregate.getAggCallList()) {
      read = read.union(ImmutableBitSet.of(call.getArgList()));
      read = read.union(ImmutableBitSet.of(call.getCollation().getKeys()));
      read = call.filterArg < 0 ? read : read.set(call.filterArg);
    }
    return read;
  }

  /** References pass a union only when every input gives them of the same source. */
  private RelNode union(Union union, List<RelNode> inputs) {
    Set<Integer> mixed = new TreeSet<>();
    for (int column = 0; column < union.getRowType().getFieldCount(); column++) {
      Optional<DataType.Reference> first = reference(inputs.getFirst(), column);
      for (RelNode input : inputs) {
        if (!reference(input, column).equals(first)) {
          mixed.add(column);
        }
      }
    }
    return Rewriting.copy(
        union, inputs.stream().map(input -> over(input, ImmutableBitSet.of(mixed))).toList());
  }

  /** One Fetch per source for these reference columns, or none where the scan can give values. */
  private RelNode fetched(RelNode input, List<Integer> columns) {
    RelNode node = input;
    Map<Integer, List<FetchColumn>> bySource = new LinkedHashMap<>();
    for (int column : columns) {
      Optional<RelNode> eager = readEagerly(node, column);
      if (eager.isPresent()) {
        node = eager.get();
      }
    }
    for (int column : columns) {
      Optional<DataType.Reference> reference = reference(node, column);
      if (reference.isPresent()) {
        Field output = MillraceTypeFactory.schema(node.getRowType()).field(column);
        bySource
            .computeIfAbsent(reference.get().sourceId(), unused -> new ArrayList<>())
            .add(
                new FetchColumn(
                    column,
                    reference.get().column(),
                    output.withType(reference.get().target()).withNullable(true)));
      }
    }
    for (Map.Entry<Integer, List<FetchColumn>> entry : bySource.entrySet()) {
      node = Fetch.of(node, source(entry.getKey()), entry.getValue());
    }
    return node;
  }

  private SourceReference source(int id) {
    return sourceIds.entrySet().stream()
        .filter(entry -> entry.getValue() == id)
        .findFirst()
        .orElseThrow()
        .getKey()
        .withSourceId(id);
  }

  /** The node with the column as value, when only nodes that keep all rows lie above its scan. */
  private static Optional<RelNode> readEagerly(RelNode node, int column) {
    return switch (node) {
      case SourceScan scan when scan.readsAllRows() && scan.isReference(column) ->
          Optional.of(withValue(scan, column));
      case Project project
          when project.getProjects().get(column) instanceof RexInputRef reference ->
          readEagerly(project.getInput(), reference.getIndex())
              .map(input -> Rewriting.copy(project, List.of(input)));
      case UdfCall call when column < call.getRowType().getFieldCount() - 1 ->
          readEagerly(call.getInput(), column).map(input -> Rewriting.copy(call, List.of(input)));
      default -> Optional.empty();
    };
  }

  private static SourceScan withValue(SourceScan scan, int column) {
    List<SourceScan.ScanColumn> columns = new ArrayList<>(scan.columns());
    SourceScan.ScanColumn old = columns.get(column);
    Field value = scan.table().schema().field(old.tableColumn());
    columns.set(
        column, new SourceScan.ScanColumn(old.tableColumn(), old.output().withType(value.type())));
    return scan.withColumns(columns);
  }
}
