package io.millrace.core.plan;

import java.util.List;

/**
 * A plan cut at its exchanges. Stages are listed so that each stands after its inputs; the last is
 * the result stage, whose output goes to the client.
 */
public record StageGraph(List<Stage> stages) {
  public StageGraph {
    stages = List.copyOf(stages);
  }

  /**
   * One stage.
   *
   * @param root its operators, with StageInput leaves in place of exchanges
   * @param output how its rows are placed for the stage that reads them; SINGLE for the result
   *     stage
   * @param inputs ids of the stages it reads
   * @param singleTask whether it must run as one task (its input is in one partition)
   */
  public record Stage(
      int id, PhysicalPlan root, Partitioning output, List<Integer> inputs, boolean singleTask) {
    public Stage {
      inputs = List.copyOf(inputs);
    }
  }

  public Stage resultStage() {
    return stages.getLast();
  }
}
