package io.millrace.planner.logical;

import io.millrace.core.plan.OrderKey;
import io.millrace.core.plan.WindowCall;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import io.millrace.planner.type.MillraceTypeFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.apache.calcite.plan.Convention;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.SingleRel;
import org.apache.calcite.rel.type.RelDataType;

/**
 * Appends one column per call: functions over the row's window. All calls have one partitioning and
 * one order. Keeps all rows; the order of the output is not defined.
 */
public final class Window extends SingleRel {
  private final List<Integer> partitionKeys;
  private final List<OrderKey> orderKeys;
  private final List<WindowCall> calls;
  private final List<Field> outputs;

  private Window(
      RelTraitSet traits,
      RelNode input,
      List<Integer> partitionKeys,
      List<OrderKey> orderKeys,
      List<WindowCall> calls,
      List<Field> outputs) {
    super(input.getCluster(), traits, input);
    this.partitionKeys = List.copyOf(partitionKeys);
    this.orderKeys = List.copyOf(orderKeys);
    this.calls = List.copyOf(calls);
    this.outputs = List.copyOf(outputs);
  }

  /**
   * @param outputs the appended columns, one per call
   */
  public static Window of(
      RelNode input,
      List<Integer> partitionKeys,
      List<OrderKey> orderKeys,
      List<WindowCall> calls,
      List<Field> outputs) {
    return new Window(
        input.getCluster().traitSetOf(Convention.NONE),
        input,
        partitionKeys,
        orderKeys,
        calls,
        outputs);
  }

  public List<Integer> partitionKeys() {
    return partitionKeys;
  }

  public List<OrderKey> orderKeys() {
    return orderKeys;
  }

  public List<WindowCall> calls() {
    return calls;
  }

  /** The appended columns. */
  public List<Field> outputs() {
    return outputs;
  }

  /**
   * Some of the calls over another input.
   *
   * @param kept positions of the calls
   * @param place where the input's columns stand now
   */
  public Window over(RelNode newInput, List<Integer> kept, IntUnaryOperator place) {
    return new Window(
        traitSet,
        newInput,
        partitionKeys.stream().map(place::applyAsInt).toList(),
        orderKeys.stream()
            .map(
                key ->
                    new OrderKey(
                        place.applyAsInt(key.column()), key.descending(), key.nullsFirst()))
            .toList(),
        kept.stream().map(call -> calls.get(call).moved(place)).toList(),
        kept.stream().map(outputs::get).toList());
  }

  @Override
  protected RelDataType deriveRowType() {
    List<Field> fields = new ArrayList<>(MillraceTypeFactory.schema(input.getRowType()).fields());
    fields.addAll(outputs);
    return ((MillraceTypeFactory) getCluster().getTypeFactory()).rowType(new Schema(fields));
  }

  @Override
  public RelNode copy(RelTraitSet traits, List<RelNode> inputs) {
    return new Window(traits, inputs.getFirst(), partitionKeys, orderKeys, calls, outputs);
  }

  @Override
  public RelWriter explainTerms(RelWriter writer) {
    return super.explainTerms(writer)
        .item("partition", partitionKeys)
        .item("order", orderKeys)
        .item("calls", calls)
        .item("outputs", outputs);
  }
}
