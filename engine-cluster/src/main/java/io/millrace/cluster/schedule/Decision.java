package io.millrace.cluster.schedule;

import io.millrace.core.error.ErrorInfo;
import java.util.List;
import java.util.Map;

/** Something the scheduler wants done; carried out in the order given. */
public sealed interface Decision {

  /**
   * Run an attempt on a worker.
   *
   * @param attempt the attempt, whose resources are reserved
   * @param worker where to run it
   * @param inputs for each input stage the outputs of all its tasks, in task order
   */
  record Launch(AttemptId attempt, WorkerId worker, Map<Integer, List<TaskOutput>> inputs)
      implements Decision {}

  /** Stop an attempt; its worker reports the end, which frees the resources. */
  record Abort(AttemptId attempt, WorkerId worker) implements Decision {}

  /** Delete an output that nobody will read. */
  record DropOutput(AttemptId attempt, WorkerId worker) implements Decision {}

  /** A task of the last stage is done; its rows may go to the client. */
  record ResultReady(TaskOutput output) implements Decision {}

  /** A result that was announced is lost before it was read whole; another follows. */
  record ResultLost(TaskId task) implements Decision {}

  /** The query has ended with an error; nothing of it may go on. */
  record Fail(ErrorInfo error) implements Decision {}

  /** All rows are delivered; the query's outputs may be deleted everywhere. */
  record Succeed() implements Decision {}
}
