package io.millrace.cluster.protocol;

import io.millrace.cluster.schedule.AttemptId;
import io.millrace.core.error.ErrorInfo;

/** What the coordinator tells a worker. */
public sealed interface WorkerMessage extends ClusterMessage {

  /** The worker is registered and will get tasks. */
  record WorkerAccepted() implements WorkerMessage {}

  /** The worker may not take part; it should end with this error. */
  record WorkerRejected(ErrorInfo error) implements WorkerMessage {}

  /** Run an attempt; its description is fetched from the coordinator's data server. */
  record LaunchTask(AttemptId attempt) implements WorkerMessage {}

  /** Stop an attempt and report its end. */
  record AbortTask(AttemptId attempt) implements WorkerMessage {}

  /** Delete an output. */
  record DropOutput(AttemptId attempt) implements WorkerMessage {}

  /** Stop everything of a query, delete its outputs, and report when that is done. */
  record ReleaseQuery(String query) implements WorkerMessage {}
}
