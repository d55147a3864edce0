package io.millrace.cluster.schedule;

/**
 * One try to run a task. Outputs are addressed by attempt, so that a reader never mixes the rows of
 * two tries.
 *
 * @param task the task tried
 * @param attempt the number of the try, from 0
 */
public record AttemptId(TaskId task, int attempt) {

  @Override
  public String toString() {
    return task + "/attempt " + attempt;
  }
}
