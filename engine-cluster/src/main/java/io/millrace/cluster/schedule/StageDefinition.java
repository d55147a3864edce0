package io.millrace.cluster.schedule;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * A stage as the scheduler sees it.
 *
 * @param stage its number within the query
 * @param inputs the stages whose whole output it reads; all have smaller positions in the query
 * @param tasks its tasks, numbered from 0 in order
 * @param resources what each of its tasks occupies
 */
public record StageDefinition(
    int stage, List<Integer> inputs, List<TaskDefinition> tasks, ResourceVector resources) {

  public StageDefinition {
    inputs = List.copyOf(inputs);
    tasks = List.copyOf(tasks);
    for (int index = 0; index < tasks.size(); index++) {
      if (tasks.get(index).task() != index) {
        throw new IllegalArgumentException("tasks are not numbered in order in stage " + stage);
      }
    }
  }

  /** A stage whose tasks prefer no host. */
  public static StageDefinition of(
      int stage, List<Integer> inputs, int taskCount, ResourceVector resources) {
    List<TaskDefinition> tasks = new ArrayList<>();
    for (int task = 0; task < taskCount; task++) {
      tasks.add(new TaskDefinition(task, Set.of()));
    }
    return new StageDefinition(stage, inputs, tasks, resources);
  }
}
