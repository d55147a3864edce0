package io.millrace.cluster.schedule;

/**
 * The limits the scheduler keeps to.
 *
 * @param taskAttemptLimit tries of one task, failed or lost with their worker, before the query
 *     fails
 * @param outputLossLimit times one task's finished output may be lost before the query fails
 * @param workerFailureLimit failed tries of one query on a worker before that query avoids it
 * @param retryDelayMillis wait before the second try; doubles with each further one
 * @param localityWaitMillis how long a task waits for a preferred host before it takes any
 * @param workerWaitMillis how long a query with nothing running waits for a worker that can take
 *     its tasks before it fails
 */
public record SchedulePolicy(
    int taskAttemptLimit,
    int outputLossLimit,
    int workerFailureLimit,
    long retryDelayMillis,
    long localityWaitMillis,
    long workerWaitMillis) {

  /** What a standing cluster uses. */
  public static SchedulePolicy standard() {
    return new SchedulePolicy(4, 4, 2, 100, 300, 30_000);
  }

  /** The same for workers that were started for one command: nobody will add another. */
  public static SchedulePolicy fixedWorkers() {
    return new SchedulePolicy(4, 4, 2, 100, 300, 2_000);
  }
}
