package io.millrace.cluster.job;

import io.millrace.core.plan.PhysicalPlan;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** Walks and rewrites the leaves of plans. */
final class PlanLeaves {
  private PlanLeaves() {}

  /** Visits every node, inputs after their reader. */
  static void visit(PhysicalPlan plan, Consumer<PhysicalPlan> visitor) {
    visitor.accept(plan);
    plan.inputs().forEach(input -> visit(input, visitor));
  }

  /** The same plan with each leaf replaced by what the change gives for it. */
  static PhysicalPlan replace(PhysicalPlan plan, UnaryOperator<PhysicalPlan> change) {
    if (plan.inputs().isEmpty()) {
      return change.apply(plan);
    }
    return withInputs(plan, plan.inputs().stream().map(input -> replace(input, change)).toList());
  }

  /** The same node over other inputs, as many as it has. */
  static PhysicalPlan withInputs(PhysicalPlan plan, List<PhysicalPlan> inputs) {
    return switch (plan) {
      case PhysicalPlan.Scan leaf -> leaf;
      case PhysicalPlan.Values leaf -> leaf;
      case PhysicalPlan.StageInput leaf -> leaf;
      case PhysicalPlan.Filter node ->
          new PhysicalPlan.Filter(node.id(), inputs.get(0), node.predicate());
      case PhysicalPlan.Project node ->
          new PhysicalPlan.Project(
              node.id(), inputs.get(0), node.expressions(), node.outputSchema());
      case PhysicalPlan.HashJoin node -> join(node, inputs.get(0), inputs.get(1));
      case PhysicalPlan.Aggregate node ->
          new PhysicalPlan.Aggregate(
              node.id(),
              inputs.get(0),
              node.step(),
              node.groupKeys(),
              node.calls(),
              node.outputSchema());
      case PhysicalPlan.Sort node -> new PhysicalPlan.Sort(node.id(), inputs.get(0), node.keys());
      case PhysicalPlan.Window node ->
          new PhysicalPlan.Window(
              node.id(),
              inputs.get(0),
              node.partitionKeys(),
              node.orderKeys(),
              node.calls(),
              node.outputSchema());
      case PhysicalPlan.TopN node ->
          new PhysicalPlan.TopN(node.id(), inputs.get(0), node.keys(), node.offset(), node.limit());
      case PhysicalPlan.Limit node ->
          new PhysicalPlan.Limit(node.id(), inputs.get(0), node.offset(), node.limit());
      case PhysicalPlan.Union node ->
          new PhysicalPlan.Union(node.id(), inputs, node.outputSchema());
      case PhysicalPlan.Udf node ->
          new PhysicalPlan.Udf(
              node.id(), inputs.get(0), node.function(), node.arguments(), node.output());
      case PhysicalPlan.Fetch node ->
          new PhysicalPlan.Fetch(node.id(), inputs.get(0), node.source(), node.columns());
      case PhysicalPlan.Exchange node ->
          new PhysicalPlan.Exchange(node.id(), inputs.get(0), node.partitioning());
      case PhysicalPlan.Write node -> new PhysicalPlan.Write(node.id(), inputs.get(0), node.sink());
      case PhysicalPlan.Expand node ->
          new PhysicalPlan.Expand(
              node.id(), inputs.get(0), node.projections(), node.outputSchema());
      case PhysicalPlan.Unnest node ->
          new PhysicalPlan.Unnest(
              node.id(),
              inputs.get(0),
              node.kept(),
              node.lists(),
              node.ordinality(),
              node.outer(),
              node.outputSchema());
      case PhysicalPlan.Sample node ->
          new PhysicalPlan.Sample(
              node.id(), inputs.get(0), node.share(), node.blocks(), node.seed());
      case PhysicalPlan.Recursion node ->
          new PhysicalPlan.Recursion(
              node.id(),
              inputs.get(0),
              node.step(),
              node.workTable(),
              node.all(),
              node.outputSchema());
    };
  }

  private static PhysicalPlan join(
      PhysicalPlan.HashJoin node, PhysicalPlan probe, PhysicalPlan build) {
    return new PhysicalPlan.HashJoin(
        node.id(),
        probe,
        build,
        node.joinType(),
        node.probeKeys(),
        node.buildKeys(),
        node.nullSafe(),
        node.residual(),
        node.outputSchema());
  }
}
