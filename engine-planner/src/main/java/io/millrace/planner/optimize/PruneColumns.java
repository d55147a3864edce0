package io.millrace.planner.optimize;

import io.millrace.core.plan.OrderKey;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import io.millrace.planner.logical.Expand;
import io.millrace.planner.logical.InlineRows;
import io.millrace.planner.logical.SourceScan;
import io.millrace.planner.logical.UdfCall;
import io.millrace.planner.logical.Unnest;
import io.millrace.planner.logical.Window;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.apache.calcite.rel.RelCollation;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.core.Union;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rel.logical.LogicalSort;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * Leaves out every column that nothing above reads, down to the scans, and calls of user-defined
 * functions whose result nobody reads. Columns keep their order. Joins and sorts get inputs without
 * the columns that only conditions below them read.
 *
 * <pre>
 * Project [b]               Project [b]
 *   Filter a = 1      →       Filter a = 1
 *     Scan t [a b c]            Scan t [a b]
 * </pre>
 */
final class PruneColumns {

  /**
   * A node with fewer columns.
   *
   * @param places new position of each old column; −1 for one that is gone
   */
  private record Pruned(RelNode node, int[] places) {
    int place(int column) {
      return places[column];
    }

    RexNode moved(RexNode expression) {
      return Rewriting.moved(expression, this::place);
    }

    int columnCount() {
      return node.getRowType().getFieldCount();
    }
  }

  RelNode rewrite(RelNode root) {
    int columns = root.getRowType().getFieldCount();
    ImmutableBitSet all = ImmutableBitSet.range(columns);
    return exactly(prune(root, all), all, root);
  }

  private Pruned prune(RelNode node, ImmutableBitSet needed) {
    return switch (node) {
      case SourceScan scan -> scan(scan, needed);
      case InlineRows rows -> inline(rows, needed);
      case Filter filter -> filter(filter, needed);
      case Project project -> project(project, needed);
      case Join join -> join(join, needed);
      case Aggregate aggregate -> aggregate(aggregate, needed);
      case Sort sort -> sort(sort, needed);
      case Union union -> union(union, needed);
      case UdfCall call -> udf(call, needed);
      case Window window -> window(window, needed);
      case Expand expand -> expand(expand, needed);
      case Unnest unnest -> unnest(unnest, needed);
      default -> other(node);
    };
  }

  /** The needed columns only, in their order. */
  private static RelNode exactly(Pruned pruned, ImmutableBitSet needed, RelNode old) {
    List<Integer> columns = needed.asList().stream().map(pruned::place).toList();
    List<String> names =
        needed.asList().stream().map(old.getRowType().getFieldNames()::get).toList();
    boolean same = columns.size() == pruned.columnCount();
    for (int index = 0; index < columns.size(); index++) {
      same &= columns.get(index) == index;
    }
    return same ? pruned.node() : Rewriting.columns(pruned.node(), columns, names);
  }

  /** As {@link #exactly}, with the new places. */
  private static Pruned trimmed(Pruned pruned, ImmutableBitSet needed, RelNode old) {
    if (needed.cardinality() == pruned.columnCount() || needed.isEmpty()) {
      return pruned;
    }
    return new Pruned(exactly(pruned, needed, old), places(old, needed));
  }

  private static int[] places(RelNode old, ImmutableBitSet kept) {
    int[] places = new int[old.getRowType().getFieldCount()];
    Arrays.fill(places, -1);
    int next = 0;
    for (int column : kept) {
      places[column] = next++;
    }
    return places;
  }

  private static Pruned scan(SourceScan scan, ImmutableBitSet needed) {
    ImmutableBitSet kept = needed.isEmpty() ? ImmutableBitSet.of(narrowest(scan)) : needed;
    List<SourceScan.ScanColumn> columns = kept.asList().stream().map(scan.columns()::get).toList();
    boolean same = columns.size() == scan.columns().size();
    return new Pruned(same ? scan : scan.withColumns(columns), places(scan, kept));
  }

  /** A column that is cheap to read, for queries that only count rows. */
  private static int narrowest(SourceScan scan) {
    int best = 0;
    int bestWidth = Integer.MAX_VALUE;
    for (int column = 0; column < scan.columns().size(); column++) {
      Field field = scan.columns().get(column).output();
      int width =
          switch (field.type()) {
            case DataType.Bool unused -> 1;
            case DataType.Int integer -> integer.byteWidth();
            case DataType.Date unused -> 4;
            case DataType.Float number -> number.bits() / 8;
            case DataType.Timestamp unused -> 8;
            case DataType.Decimal unused -> 16;
            case DataType.Text unused -> 32;
            default -> 64;
          };
      boolean heavy = scan.table().heavyColumns().contains(field.name());
      if (width < bestWidth && !heavy) {
        best = column;
        bestWidth = width;
      }
    }
    return best;
  }

  private static Pruned inline(InlineRows rows, ImmutableBitSet needed) {
    int columns = rows.schema().size();
    ImmutableBitSet kept = needed.isEmpty() && columns > 0 ? ImmutableBitSet.of(0) : needed;
    if (kept.cardinality() == columns) {
      return new Pruned(rows, places(rows, kept));
    }
    List<Integer> indexes = kept.asList();
    Schema schema = rows.schema().select(indexes);
    List<List<Object>> values = new ArrayList<>();
    for (List<Object> row : rows.rows()) {
      List<Object> shorter = new ArrayList<>();
      indexes.forEach(index -> shorter.add(row.get(index)));
      values.add(shorter);
    }
    return new Pruned(InlineRows.of(rows.getCluster(), schema, values), places(rows, kept));
  }

  private Pruned filter(Filter filter, ImmutableBitSet needed) {
    ImmutableBitSet read = needed.union(Rewriting.columnsOf(filter.getCondition()));
    Pruned input = prune(filter.getInput(), read);
    RelNode node = Rewriting.filter(input.node(), List.of(input.moved(filter.getCondition())));
    return new Pruned(node, input.places());
  }

  private Pruned project(Project project, ImmutableBitSet needed) {
    if (needed.isEmpty()) {
      Pruned input = prune(project.getInput(), needed);
      return new Pruned(input.node(), places(project, needed));
    }
    ImmutableBitSet read = ImmutableBitSet.of();
    for (int column : needed) {
      read = read.union(Rewriting.columnsOf(project.getProjects().get(column)));
    }
    Pruned input = prune(project.getInput(), read);
    List<RexNode> outputs = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (int column : needed) {
      outputs.add(input.moved(project.getProjects().get(column)));
      names.add(project.getRowType().getFieldNames().get(column));
    }
    return new Pruned(Rewriting.project(input.node(), outputs, names), places(project, needed));
  }

  private Pruned join(Join join, ImmutableBitSet needed) {
    int leftColumns = join.getLeft().getRowType().getFieldCount();
    int allColumns = leftColumns + join.getRight().getRowType().getFieldCount();
    boolean leftOnly =
        join.getJoinType() == JoinRelType.SEMI || join.getJoinType() == JoinRelType.ANTI;
    ImmutableBitSet read = needed.union(Rewriting.columnsOf(join.getCondition()));
    ImmutableBitSet leftRead = read.intersect(ImmutableBitSet.range(leftColumns));
    ImmutableBitSet rightRead =
        read.intersect(ImmutableBitSet.range(leftColumns, allColumns)).shift(-leftColumns);
    Pruned left = trimmed(prune(join.getLeft(), leftRead), leftRead, join.getLeft());
    Pruned right = trimmed(prune(join.getRight(), rightRead), rightRead, join.getRight());
    int[] places = new int[allColumns];
    for (int column = 0; column < allColumns; column++) {
      int place = column < leftColumns ? left.place(column) : right.place(column - leftColumns);
      places[column] = column < leftColumns || place < 0 ? place : place + left.columnCount();
    }
    RexNode condition = Rewriting.moved(join.getCondition(), column -> places[column]);
    RelNode node =
        LogicalJoin.create(
            left.node(), right.node(), List.of(), condition, Set.of(), join.getJoinType());
    return new Pruned(node, leftOnly ? Arrays.copyOf(places, leftColumns) : places);
  }

  private Pruned aggregate(Aggregate aggregate, ImmutableBitSet needed) {
    int keyCount = aggregate.getGroupCount();
    List<AggregateCall> calls = aggregate.getAggCallList();
    List<Integer> kept = new ArrayList<>();
    for (int call = 0; call < calls.size(); call++) {
      if (needed.get(keyCount + call)) {
        kept.add(call);
      }
    }
    if (keyCount == 0 && kept.isEmpty() && !calls.isEmpty()) {
      kept.add(0);
    }
    ImmutableBitSet read = aggregate.getGroupSet();
    for (int call : kept) {
      read = read.union(ImmutableBitSet.of(calls.get(call).getArgList()));
      read = calls.get(call).filterArg < 0 ? read : read.set(calls.get(call).filterArg);
      read = read.union(ImmutableBitSet.of(calls.get(call).getCollation().getKeys()));
    }
    Pruned input = prune(aggregate.getInput(), read);
    List<AggregateCall> movedCalls =
        kept.stream().map(call -> moved(calls.get(call), input)).toList();
    RelNode node =
        LogicalAggregate.create(
            input.node(),
            List.of(),
            moved(aggregate.getGroupSet(), input),
            aggregate.getGroupSets().stream().map(set -> moved(set, input)).toList(),
            movedCalls);
    int[] places = new int[keyCount + calls.size()];
    for (int column = 0; column < places.length; column++) {
      int call = kept.indexOf(column - keyCount);
      places[column] = column < keyCount ? column : call < 0 ? -1 : keyCount + call;
    }
    return new Pruned(node, places);
  }

  private static ImmutableBitSet moved(ImmutableBitSet columns, Pruned input) {
    return ImmutableBitSet.of(columns.asList().stream().map(input::place).toList());
  }

  private static AggregateCall moved(AggregateCall call, Pruned input) {
    AggregateCall moved =
        call.withArgList(call.getArgList().stream().map(input::place).toList())
            .withCollation(Rewriting.moved(call.getCollation(), input::place));
    return call.filterArg < 0 ? moved : moved.withFilter(input.place(call.filterArg));
  }

  private Pruned sort(Sort sort, ImmutableBitSet needed) {
    ImmutableBitSet read = needed.union(ImmutableBitSet.of(sort.getCollation().getKeys()));
    Pruned input = trimmed(prune(sort.getInput(), read), read, sort.getInput());
    RelCollation keys = Rewriting.moved(sort.getCollation(), input::place);
    RelNode node = LogicalSort.create(input.node(), keys, sort.offset, sort.fetch);
    return new Pruned(node, input.places());
  }

  private Pruned union(Union union, ImmutableBitSet needed) {
    ImmutableBitSet kept = needed.isEmpty() ? ImmutableBitSet.of(0) : needed;
    List<RelNode> inputs =
        union.getInputs().stream().map(input -> exactly(prune(input, kept), kept, input)).toList();
    return new Pruned(
        org.apache.calcite.rel.logical.LogicalUnion.create(inputs, true), places(union, kept));
  }

  private Pruned udf(UdfCall call, ImmutableBitSet needed) {
    int result = call.getRowType().getFieldCount() - 1;
    if (!needed.get(result)) {
      Pruned input = prune(call.getInput(), needed);
      int[] places = Arrays.copyOf(input.places(), result + 1);
      places[result] = -1;
      return new Pruned(input.node(), places);
    }
    ImmutableBitSet read = needed.clear(result).union(ImmutableBitSet.of(call.arguments()));
    Pruned input = prune(call.getInput(), read);
    RelNode node = call.over(input.node(), call.arguments().stream().map(input::place).toList());
    int[] places = Arrays.copyOf(input.places(), result + 1);
    places[result] = input.columnCount();
    return new Pruned(node, places);
  }

  private Pruned window(Window window, ImmutableBitSet needed) {
    int inputColumns = window.getInput().getRowType().getFieldCount();
    List<Integer> kept = new ArrayList<>();
    ImmutableBitSet read = needed.intersect(ImmutableBitSet.range(inputColumns));
    for (int call = 0; call < window.calls().size(); call++) {
      if (needed.get(inputColumns + call)) {
        kept.add(call);
        read = read.union(ImmutableBitSet.of(window.calls().get(call).columns()));
      }
    }
    if (!kept.isEmpty()) {
      read = read.union(ImmutableBitSet.of(window.partitionKeys()));
      for (OrderKey key : window.orderKeys()) {
        read = read.set(key.column());
      }
    }
    Pruned input = prune(window.getInput(), read);
    int[] places = Arrays.copyOf(input.places(), inputColumns + window.calls().size());
    Arrays.fill(places, inputColumns, places.length, -1);
    for (int call = 0; call < kept.size(); call++) {
      places[inputColumns + kept.get(call)] = input.columnCount() + call;
    }
    RelNode node = kept.isEmpty() ? input.node() : window.over(input.node(), kept, input::place);
    return new Pruned(node, places);
  }

  private Pruned expand(Expand expand, ImmutableBitSet needed) {
    ImmutableBitSet kept = needed.isEmpty() ? ImmutableBitSet.of(0) : needed;
    ImmutableBitSet read = ImmutableBitSet.of();
    for (List<RexNode> projection : expand.projections()) {
      for (int column : kept) {
        read = read.union(Rewriting.columnsOf(projection.get(column)));
      }
    }
    Pruned input = prune(expand.getInput(), read);
    List<List<RexNode>> projections = new ArrayList<>();
    for (List<RexNode> projection : expand.projections()) {
      projections.add(
          kept.asList().stream().map(column -> input.moved(projection.get(column))).toList());
    }
    RelNode node = Expand.of(input.node(), projections, expand.schema().select(kept.asList()));
    return new Pruned(node, places(expand, kept));
  }

  /** The elements stay, whether they are read or not. */
  private Pruned unnest(Unnest unnest, ImmutableBitSet needed) {
    int columns = unnest.getRowType().getFieldCount();
    ImmutableBitSet elements = ImmutableBitSet.range(unnest.kept().size(), columns);
    ImmutableBitSet stay = needed.union(elements);
    List<Integer> kept = new ArrayList<>();
    for (int column = 0; column < unnest.kept().size(); column++) {
      if (stay.get(column)) {
        kept.add(unnest.kept().get(column));
      }
    }
    ImmutableBitSet read = ImmutableBitSet.of(kept).union(ImmutableBitSet.of(unnest.lists()));
    Pruned input = prune(unnest.getInput(), read);
    RelNode node =
        unnest.over(
            input.node(),
            kept.stream().map(input::place).toList(),
            unnest.lists().stream().map(input::place).toList(),
            stay.asList().stream().map(unnest.getRowType().getFieldNames()::get).toList());
    return new Pruned(node, places(unnest, stay));
  }

  /** A node that no case knows keeps all columns. */
  private Pruned other(RelNode node) {
    List<RelNode> inputs = node.getInputs().stream().map(this::rewrite).toList();
    RelNode copied = inputs.isEmpty() ? node : Rewriting.copy(node, inputs);
    return new Pruned(
        copied, places(node, ImmutableBitSet.range(node.getRowType().getFieldCount())));
  }
}
