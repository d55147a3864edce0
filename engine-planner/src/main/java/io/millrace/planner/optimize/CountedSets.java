package io.millrace.planner.optimize;

import io.millrace.core.type.DataType;
import io.millrace.planner.logical.AggregateOperator;
import io.millrace.planner.logical.FunctionBinding;
import io.millrace.planner.logical.Literals;
import io.millrace.planner.logical.Unnest;
import io.millrace.planner.type.MillraceTypeFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.rel.logical.LogicalUnion;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * INTERSECT ALL and EXCEPT ALL of two inputs after another: equal rows are counted per input, and
 * the row is repeated as often as the counts say.
 *
 * <pre>
 * Minus all              Unnest, repeated
 *   t              →       Project [a, left − right or 0]
 *   u                        Aggregate by a [sum(left), sum(right)]
 *                              Union [t, 1, 0], [u, 0, 1]
 * </pre>
 */
final class CountedSets {
  private final FunctionBinding binding;
  private final boolean common;

  /**
   * @param common whether the rows of both are wanted (INTERSECT), not those of the first only
   */
  CountedSets(FunctionBinding binding, boolean common) {
    this.binding = binding;
    this.common = common;
  }

  RelNode combine(List<RelNode> inputs) {
    RelNode result = inputs.getFirst();
    for (RelNode other : inputs.subList(1, inputs.size())) {
      result = combine(result, other);
    }
    return result;
  }

  private RelNode combine(RelNode left, RelNode right) {
    int columns = left.getRowType().getFieldCount();
    RelNode rows = LogicalUnion.create(List.of(counted(left, 1, 0), counted(right, 0, 1)), true);
    List<AggregateCall> sums = List.of(sum(rows, columns), sum(rows, columns + 1));
    RelNode grouped =
        LogicalAggregate.create(rows, List.of(), ImmutableBitSet.range(columns), null, sums);
    List<RexNode> outputs = new ArrayList<>(Rewriting.allColumns(grouped));
    RexNode second = outputs.removeLast();
    RexNode first = outputs.removeLast();
    RexNode fewer = binding.call("le", List.of(first, second));
    RexBuilder builder = left.getCluster().getRexBuilder();
    RexNode times =
        common
            ? binding.caseWhen(List.of(fewer, first, second))
            : binding.caseWhen(
                List.of(
                    fewer,
                    Literals.of(builder, 0L, DataType.INT64),
                    binding.call("subtract", List.of(first, second))));
    outputs.add(binding.cast(times, DataType.INT64));
    List<String> names = new ArrayList<>(left.getRowType().getFieldNames());
    names.add("$times");
    RelNode repeated = Rewriting.project(grouped, outputs, names);
    return Unnest.of(
        repeated,
        IntStream.range(0, columns).boxed().toList(),
        List.of(columns),
        false,
        false,
        left.getRowType().getFieldNames());
  }

  private RelNode counted(RelNode input, long left, long right) {
    RexBuilder builder = input.getCluster().getRexBuilder();
    List<RexNode> outputs = new ArrayList<>(Rewriting.allColumns(input));
    outputs.add(Literals.of(builder, left, DataType.INT64));
    outputs.add(Literals.of(builder, right, DataType.INT64));
    List<String> names = new ArrayList<>(input.getRowType().getFieldNames());
    names.addAll(List.of("$left", "$right"));
    return Rewriting.project(input, outputs, names);
  }

  private AggregateCall sum(RelNode rows, int column) {
    return AggregateOperator.call(
        binding.registry(),
        (MillraceTypeFactory) rows.getCluster().getTypeFactory(),
        "sum",
        false,
        List.of(column),
        -1,
        rows.getRowType(),
        "$count" + column);
  }
}
