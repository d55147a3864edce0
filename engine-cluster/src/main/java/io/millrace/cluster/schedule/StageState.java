package io.millrace.cluster.schedule;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One stage: its tasks and whether their outputs are all there. */
final class StageState {
  private final StageDefinition definition;
  private final List<TaskState> tasks;

  StageState(String query, StageDefinition definition) {
    this.definition = definition;
    this.tasks =
        definition.tasks().stream()
            .map(task -> new TaskState(new TaskId(query, definition.stage(), task.task()), task))
            .toList();
  }

  StageDefinition definition() {
    return definition;
  }

  int number() {
    return definition.stage();
  }

  List<TaskState> tasks() {
    return tasks;
  }

  TaskState task(int number) {
    return tasks.get(number);
  }

  /** Every task is done; outputs that were lost make a stage incomplete again. */
  boolean isComplete() {
    return tasks.stream().allMatch(TaskState::isDone);
  }

  boolean isDelivered() {
    return tasks.stream().allMatch(TaskState::isDelivered);
  }

  int doneCount() {
    return (int) tasks.stream().filter(TaskState::isDone).count();
  }

  int runningCount() {
    return tasks.stream().mapToInt(task -> task.running().size()).sum();
  }

  /** The outputs of all tasks in task order; empty while one is missing. */
  Optional<List<TaskOutput>> outputs() {
    List<TaskOutput> outputs = new ArrayList<>();
    for (TaskState task : tasks) {
      if (task.output().isEmpty()) {
        return Optional.empty();
      }
      outputs.add(task.output().get());
    }
    return Optional.of(outputs);
  }
}
