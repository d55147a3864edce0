package io.millrace.planner.logical;

import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import io.millrace.core.udf.UserFunction;
import io.millrace.planner.type.MillraceTypeFactory;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.plan.Convention;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.SingleRel;
import org.apache.calcite.rel.type.RelDataType;

/** Appends one column: a user-defined function over columns of the input. Keeps rows and order. */
public final class UdfCall extends SingleRel {
  private final UserFunction function;
  private final List<Integer> arguments;
  private final Field output;

  private UdfCall(
      RelTraitSet traits,
      RelNode input,
      UserFunction function,
      List<Integer> arguments,
      Field output) {
    super(input.getCluster(), traits, input);
    this.function = function;
    this.arguments = List.copyOf(arguments);
    this.output = output;
  }

  /**
   * @param arguments columns of the input, already of the function's argument types
   * @param output the appended column
   */
  public static UdfCall of(
      RelNode input, UserFunction function, List<Integer> arguments, Field output) {
    return new UdfCall(
        input.getCluster().traitSetOf(Convention.NONE), input, function, arguments, output);
  }

  public UserFunction function() {
    return function;
  }

  public List<Integer> arguments() {
    return arguments;
  }

  /** The appended column. */
  public Field output() {
    return output;
  }

  /** The same call over another input, whose columns the new argument positions address. */
  public UdfCall over(RelNode newInput, List<Integer> newArguments) {
    return new UdfCall(traitSet, newInput, function, newArguments, output);
  }

  @Override
  protected RelDataType deriveRowType() {
    List<Field> fields = new ArrayList<>(MillraceTypeFactory.schema(input.getRowType()).fields());
    fields.add(output);
    return ((MillraceTypeFactory) getCluster().getTypeFactory()).rowType(new Schema(fields));
  }

  @Override
  public RelNode copy(RelTraitSet traits, List<RelNode> inputs) {
    return new UdfCall(traits, inputs.getFirst(), function, arguments, output);
  }

  @Override
  public RelWriter explainTerms(RelWriter writer) {
    return super.explainTerms(writer)
        .item("function", function.name())
        .item("identity", System.identityHashCode(function.implementation()))
        .item("arguments", arguments)
        .item("output", output);
  }
}
