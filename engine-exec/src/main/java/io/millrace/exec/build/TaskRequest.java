package io.millrace.exec.build;

import io.millrace.core.plan.Partitioning;
import io.millrace.core.plan.PhysicalPlan;
import java.util.Map;

/**
 * One run of a stage over one partition.
 *
 * @param stage number of the stage, for the profile and errors
 * @param task number of the task within its stage
 * @param attemptId unique name of this attempt; sinks write under it
 * @param root the stage's operators; its Scan nodes hold the splits of this task only
 * @param inputs by the id of the StageInput node (not of the stage)
 * @param partitioning how the rows are placed
 * @param partitionCount partitions under HASH and ROUND_ROBIN; 1 otherwise
 * @param output takes the rows
 * @param parallelism most drivers of one pipeline; 1 runs the fragment on one thread
 */
public record TaskRequest(
    int stage,
    int task,
    String attemptId,
    PhysicalPlan root,
    Map<Integer, TaskInput> inputs,
    Partitioning partitioning,
    int partitionCount,
    TaskOutput output,
    int parallelism) {
  public TaskRequest {
    inputs = Map.copyOf(inputs);
  }
}
