package io.millrace.cluster.actor;

import io.millrace.cluster.protocol.Endpoint;
import io.millrace.cluster.schedule.AttemptId;
import io.millrace.cluster.schedule.Decision;
import io.millrace.cluster.schedule.TaskId;
import io.millrace.cluster.schedule.TaskOutput;
import io.millrace.cluster.schedule.WorkerId;
import io.millrace.core.error.ErrorInfo;
import java.util.Map;

/**
 * What happens to one query. Called on the coordinator's actor thread: answer at once, never block.
 */
public interface QueryListener {

  /**
   * An attempt is about to be launched: its description must be ready for the worker to fetch when
   * this returns.
   *
   * @param launch what runs where on which inputs
   * @param endpoints the data servers of all workers present
   */
  void launching(Decision.Launch launch, Map<WorkerId, Endpoint> endpoints);

  /** The output that counts for a task, with the metrics its attempt reported. */
  void taskSucceeded(TaskOutput output, byte[] metrics);

  /** A task of the last stage is done and its rows can be read at the endpoint. */
  void resultReady(TaskOutput output, Endpoint endpoint);

  /** A result announced before is lost; it is announced again when it has been computed again. */
  void resultLost(TaskId task);

  /** The query ended with an error; {@link #released} follows. */
  void failed(AttemptCounts counts, ErrorInfo error);

  /** All results are delivered, or no more are wanted; {@link #released} follows. */
  void succeeded(AttemptCounts counts);

  /** Every worker has stopped and forgotten the query. Nothing follows. */
  void released();

  /**
   * How many attempts a query took.
   *
   * @param launched attempts launched, at least one per task
   * @param lost attempts that ended without an output that counts
   */
  record AttemptCounts(int launched, int lost) {}

  /** Forgets the description of an attempt that ended. */
  default void ended(AttemptId attempt) {}
}
