package io.millrace.cluster.protocol;

import io.millrace.cluster.schedule.AttemptId;
import io.millrace.cluster.schedule.ResourceVector;
import io.millrace.cluster.schedule.TaskFailure;
import io.millrace.cluster.schedule.TaskOutput;
import io.millrace.cluster.schedule.WorkerId;

/** What workers tell the coordinator. */
public sealed interface CoordinatorMessage extends ClusterMessage {

  /**
   * A worker offers itself.
   *
   * @param worker its identity
   * @param replyTo where it takes messages, in the transport's own form
   * @param endpoint where its data server listens
   * @param resources what it declares
   * @param token the shared secret, empty when the cluster has none
   * @param version the engine's version, which must be the coordinator's
   */
  record RegisterWorker(
      WorkerId worker,
      String replyTo,
      Endpoint endpoint,
      ResourceVector resources,
      String token,
      String version)
      implements CoordinatorMessage {

    /** Without the token, which must not reach a log. */
    @Override
    public String toString() {
      return "RegisterWorker[" + worker + ", " + endpoint + ", " + resources + "]";
    }
  }

  /**
   * An attempt wrote its output.
   *
   * @param output the output, which the worker keeps until it is told to drop it
   * @param metrics the attempt's operator metrics, encoded; may be empty
   */
  record TaskSucceeded(TaskOutput output, byte[] metrics) implements CoordinatorMessage {}

  /** An attempt ended without an output. */
  record TaskFailed(AttemptId attempt, TaskFailure failure) implements CoordinatorMessage {}

  /** A worker has dropped everything of a query, and nothing of it runs there any more. */
  record QueryReleased(String query, WorkerId worker) implements CoordinatorMessage {}

  /** A worker is about to leave in good order. */
  record WorkerLeaving(WorkerId worker) implements CoordinatorMessage {}
}
