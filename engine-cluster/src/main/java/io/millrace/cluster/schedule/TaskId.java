package io.millrace.cluster.schedule;

/**
 * One task of a query: the run of a stage over one partition.
 *
 * @param query the query's id, unique in the cluster
 * @param stage the stage's number within the query
 * @param task the task's number within the stage, from 0
 */
public record TaskId(String query, int stage, int task) {

  @Override
  public String toString() {
    return query + "/stage " + stage + "/task " + task;
  }
}
