package io.millrace.cluster.job;

import io.millrace.core.plan.Partitioning;
import io.millrace.core.plan.PhysicalPlan;
import io.millrace.core.plan.StageGraph;
import java.util.ArrayList;
import java.util.List;

/**
 * Cuts a plan at its exchanges. A stage runs as one task when one of its inputs comes whole in one
 * partition, or when it reads nothing that could be shared out.
 */
final class StageCutter {
  private final List<StageGraph.Stage> stages = new ArrayList<>();
  private int nextId;

  private StageCutter() {}

  /** The stages of a plan, inputs first, the result last. */
  static StageGraph cut(PhysicalPlan plan) {
    StageCutter cutter = new StageCutter();
    cutter.addStage(plan, Partitioning.SINGLE);
    return new StageGraph(cutter.stages);
  }

  private int addStage(PhysicalPlan root, Partitioning output) {
    List<Integer> inputs = new ArrayList<>();
    List<Partitioning> kinds = new ArrayList<>();
    PhysicalPlan cut = cutBelow(root, inputs, kinds);
    int id = nextId++;
    boolean single = kinds.stream().anyMatch(Partitioning.Single.class::isInstance);
    stages.add(new StageGraph.Stage(id, cut, output, inputs, single || !hasSharedLeaf(cut, kinds)));
    return id;
  }

  private static boolean hasSharedLeaf(PhysicalPlan cut, List<Partitioning> kinds) {
    boolean[] found = {
      kinds.stream()
          .anyMatch(
              kind -> kind instanceof Partitioning.Hash || kind instanceof Partitioning.RoundRobin)
    };
    PlanLeaves.visit(cut, node -> found[0] |= node instanceof PhysicalPlan.Scan);
    return found[0];
  }

  private PhysicalPlan cutBelow(PhysicalPlan node, List<Integer> inputs, List<Partitioning> kinds) {
    if (node instanceof PhysicalPlan.Exchange exchange) {
      int stage = addStage(exchange.input(), exchange.partitioning());
      inputs.add(stage);
      kinds.add(exchange.partitioning());
      return new PhysicalPlan.StageInput(exchange.id(), stage, exchange.outputSchema());
    }
    return PlanLeaves.withInputs(
        node, node.inputs().stream().map(input -> cutBelow(input, inputs, kinds)).toList());
  }
}
