package io.millrace.planner.optimize;

import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import io.millrace.planner.logical.Expand;
import io.millrace.planner.logical.FunctionBinding;
import io.millrace.planner.logical.InlineRows;
import io.millrace.planner.logical.Literals;
import io.millrace.planner.type.MillraceTypeFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.rel.logical.LogicalUnion;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * Grouping sets, ROLLUP and CUBE as one plain aggregation: each row counts once per set, with nulls
 * for the keys that the set leaves out and the set's number as a further key, which keeps those
 * nulls apart from real ones. The empty set has a group even over no rows, so a row that no
 * aggregate counts stands in for it.
 *
 * <pre>
 * Aggregate by {a, b}, {a}          Project [a, b, sum]
 *   [sum($2)]                   →     Aggregate by a, b, set [sum($5)]
 *   Scan t [a, b, c]                    Expand [a, b, 0, …], [a, null, 1, …]
 *                                         Scan t [a, b, c]
 * </pre>
 */
final class GroupingSets {
  private final RexBuilder builder;
  private final FunctionBinding binding;
  private final Aggregate aggregate;
  private final RelNode input;
  private final int keyCount;
  private final int firstColumn;
  private final boolean withEmptySet;

  GroupingSets(FunctionBinding binding, Aggregate aggregate, RelNode input) {
    this.builder = input.getCluster().getRexBuilder();
    this.binding = binding;
    this.aggregate = aggregate;
    this.input = input;
    this.keyCount = aggregate.getGroupCount();
    this.firstColumn = keyCount + 1;
    this.withEmptySet = aggregate.getGroupSets().stream().anyMatch(ImmutableBitSet::isEmpty);
  }

  static boolean isGrouping(AggregateCall call) {
    return call.getAggregation().getKind() == SqlKind.GROUPING
        || call.getAggregation().getKind() == SqlKind.GROUPING_ID;
  }

  /** A plain aggregation with the same columns. */
  RelNode rewrite() {
    RelNode rows = expanded();
    int real = withEmptySet ? rows.getRowType().getFieldCount() - 1 : -1;
    List<AggregateCall> calls = new ArrayList<>();
    for (AggregateCall call : aggregate.getAggCallList()) {
      if (!isGrouping(call)) {
        AggregateCall moved =
            call.withArgList(call.getArgList().stream().map(this::place).toList())
                .withCollation(Rewriting.moved(call.getCollation(), this::place));
        calls.add(moved.withFilter(call.filterArg < 0 ? real : place(call.filterArg)));
      }
    }
    RelNode grouped =
        LogicalAggregate.create(rows, List.of(), ImmutableBitSet.range(firstColumn), null, calls);
    return Rewriting.project(grouped, outputs(grouped), aggregate.getRowType().getFieldNames());
  }

  private int place(int column) {
    return firstColumn + column;
  }

  private RelNode expanded() {
    Schema given = MillraceTypeFactory.schema(input.getRowType());
    List<Field> fields = new ArrayList<>();
    for (int key : aggregate.getGroupSet()) {
      fields.add(Field.nullable("key" + fields.size(), given.field(key).type()));
    }
    fields.add(Field.required("set", DataType.INT64));
    for (Field field : given.fields()) {
      String name = "column" + fields.size();
      fields.add(isFilter(field) ? field.withName(name) : Field.nullable(name, field.type()));
    }
    if (withEmptySet) {
      fields.add(Field.required("real", DataType.BOOLEAN));
    }
    Schema schema = new Schema(fields);
    List<List<RexNode>> projections = new ArrayList<>();
    for (ImmutableBitSet set : aggregate.getGroupSets()) {
      projections.add(projection(set, projections.size(), given));
    }
    RelNode expand = Expand.of(input, projections, schema);
    return withEmptySet ? LogicalUnion.create(List.of(expand, standIn(schema)), true) : expand;
  }

  private List<RexNode> projection(ImmutableBitSet set, long number, Schema given) {
    List<RexNode> columns = Rewriting.allColumns(input);
    List<RexNode> outputs = new ArrayList<>();
    for (int key : aggregate.getGroupSet()) {
      outputs.add(
          set.get(key) ? columns.get(key) : Literals.of(builder, null, given.field(key).type()));
    }
    outputs.add(Literals.of(builder, number, DataType.INT64));
    outputs.addAll(columns);
    if (withEmptySet) {
      outputs.add(builder.makeLiteral(true));
    }
    return outputs;
  }

  /** What a FILTER reads is never null, and false in the row that stands in. */
  private static boolean isFilter(Field field) {
    return field.type() instanceof DataType.Bool && !field.nullable();
  }

  /** The row that makes the empty set's group. */
  private RelNode standIn(Schema schema) {
    int set = aggregate.getGroupSets().indexOf(ImmutableBitSet.of());
    List<Object> row = new ArrayList<>(Collections.nCopies(schema.size(), null));
    row.set(keyCount, (long) set);
    for (int column = keyCount + 1; column < schema.size(); column++) {
      if (isFilter(schema.field(column))) {
        row.set(column, false);
      }
    }
    return InlineRows.of(input.getCluster(), schema, List.of(row));
  }

  private List<RexNode> outputs(RelNode grouped) {
    List<RexNode> columns = Rewriting.allColumns(grouped);
    List<RexNode> outputs = new ArrayList<>(columns.subList(0, keyCount));
    int next = firstColumn;
    for (AggregateCall call : aggregate.getAggCallList()) {
      outputs.add(isGrouping(call) ? grouping(call, columns.get(keyCount)) : columns.get(next++));
    }
    return outputs;
  }

  /** One bit per argument, the last one lowest: 1 where the row's set leaves it out. */
  private RexNode grouping(AggregateCall call, RexNode set) {
    List<RexNode> operands = new ArrayList<>();
    DataType type = MillraceTypeFactory.dataType(call.getType());
    for (int number = 0; number < aggregate.getGroupSets().size(); number++) {
      ImmutableBitSet columns = aggregate.getGroupSets().get(number);
      operands.add(
          binding.call("eq", List.of(set, Literals.of(builder, (long) number, DataType.INT64))));
      long bits = 0;
      for (int argument : call.getArgList()) {
        bits = bits << 1 | (columns.get(argument) ? 0 : 1);
      }
      operands.add(Literals.of(builder, bits, DataType.INT64));
    }
    operands.add(Literals.of(builder, 0L, DataType.INT64));
    return binding.cast(binding.caseWhen(operands), type);
  }
}
