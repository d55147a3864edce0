package io.millrace.planner.stage;

import io.millrace.core.plan.Partitioning;
import io.millrace.core.plan.PhysicalPlan;
import io.millrace.core.plan.StageGraph;
import java.util.ArrayList;
import java.util.List;

/**
 * Cuts a plan at its exchanges. An exchange becomes the output partitioning of the stage below and
 * a StageInput, with the exchange's id, in the stage above. Stages are numbered from 0, inputs
 * before those that read them.
 */
public final class StageCutter {
  private final List<StageGraph.Stage> stages = new ArrayList<>();

  private StageCutter() {}

  public static StageGraph cut(PhysicalPlan plan) {
    StageCutter cutter = new StageCutter();
    cutter.addStage(plan, Partitioning.SINGLE);
    return new StageGraph(cutter.stages);
  }

  private int addStage(PhysicalPlan plan, Partitioning output) {
    List<Integer> inputs = new ArrayList<>();
    PhysicalPlan root = withoutExchanges(plan, inputs);
    int id = stages.size();
    stages.add(new StageGraph.Stage(id, root, output, inputs, !isPartitioned(root)));
    return id;
  }

  private PhysicalPlan withoutExchanges(PhysicalPlan plan, List<Integer> inputs) {
    if (plan instanceof PhysicalPlan.Exchange exchange) {
      int stage = addStage(exchange.input(), exchange.partitioning());
      inputs.add(stage);
      return new PhysicalPlan.StageInput(exchange.id(), stage, exchange.outputSchema());
    }
    List<PhysicalPlan> children = new ArrayList<>();
    for (PhysicalPlan input : plan.inputs()) {
      children.add(withoutExchanges(input, inputs));
    }
    return withInputs(plan, children);
  }

  /** Whether several tasks may share the stage's rows: a scan or spread rows reach it. */
  private boolean isPartitioned(PhysicalPlan plan) {
    return switch (plan) {
      case PhysicalPlan.Scan unused -> true;
      case PhysicalPlan.StageInput input ->
          switch (stages.get(input.stageId()).output()) {
            case Partitioning.Hash unused -> true;
            case Partitioning.RoundRobin unused -> true;
            case Partitioning.Single unused -> false;
            case Partitioning.Broadcast unused -> false;
          };
      default -> plan.inputs().stream().anyMatch(this::isPartitioned);
    };
  }

  /** The same node over other inputs. */
  static PhysicalPlan withInputs(PhysicalPlan plan, List<PhysicalPlan> inputs) {
    if (plan.inputs().equals(inputs)) {
      return plan;
    }
    PhysicalPlan first = inputs.getFirst();
    return switch (plan) {
      case PhysicalPlan.Scan scan -> scan;
      case PhysicalPlan.Values values -> values;
      case PhysicalPlan.StageInput input -> input;
      case PhysicalPlan.Filter node -> new PhysicalPlan.Filter(node.id(), first, node.predicate());
      case PhysicalPlan.Project node ->
          new PhysicalPlan.Project(node.id(), first, node.expressions(), node.outputSchema());
      case PhysicalPlan.HashJoin node ->
          new PhysicalPlan.HashJoin(
              node.id(),
              first,
              inputs.getLast(),
              node.joinType(),
              node.probeKeys(),
              node.buildKeys(),
              node.nullSafe(),
              node.residual(),
              node.outputSchema());
      case PhysicalPlan.Aggregate node ->
          new PhysicalPlan.Aggregate(
              node.id(), first, node.step(), node.groupKeys(), node.calls(), node.outputSchema());
      case PhysicalPlan.Sort node -> new PhysicalPlan.Sort(node.id(), first, node.keys());
      case PhysicalPlan.Window node ->
          new PhysicalPlan.Window(
              node.id(),
              first,
              node.partitionKeys(),
              node.orderKeys(),
              node.calls(),
              node.outputSchema());
      case PhysicalPlan.TopN node ->
          new PhysicalPlan.TopN(node.id(), first, node.keys(), node.offset(), node.limit());
      case PhysicalPlan.Limit node ->
          new PhysicalPlan.Limit(node.id(), first, node.offset(), node.limit());
      case PhysicalPlan.Union node ->
          new PhysicalPlan.Union(node.id(), inputs, node.outputSchema());
      case PhysicalPlan.Udf node ->
          new PhysicalPlan.Udf(node.id(), first, node.function(), node.arguments(), node.output());
      case PhysicalPlan.Fetch node ->
          new PhysicalPlan.Fetch(node.id(), first, node.source(), node.columns());
      case PhysicalPlan.Exchange node ->
          new PhysicalPlan.Exchange(node.id(), first, node.partitioning());
      case PhysicalPlan.Write node -> new PhysicalPlan.Write(node.id(), first, node.sink());
      case PhysicalPlan.Expand node ->
          new PhysicalPlan.Expand(node.id(), first, node.projections(), node.outputSchema());
      case PhysicalPlan.Unnest node ->
          new PhysicalPlan.Unnest(
              node.id(),
              first,
              node.kept(),
              node.lists(),
              node.ordinality(),
              node.outer(),
              node.outputSchema());
      case PhysicalPlan.Sample node ->
          new PhysicalPlan.Sample(node.id(), first, node.share(), node.blocks(), node.seed());
      case PhysicalPlan.Recursion node ->
          new PhysicalPlan.Recursion(
              node.id(), first, node.step(), node.workTable(), node.all(), node.outputSchema());
    };
  }
}
