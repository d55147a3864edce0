package io.millrace.cluster.schedule;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * One task: waiting, running in one or more attempts, or done with an output. The first attempt
 * that finishes wins; later ones are dropped.
 */
final class TaskState {
  private final TaskId id;
  private final TaskDefinition definition;
  private final Map<AttemptId, WorkerId> running = new LinkedHashMap<>();
  private TaskOutput output;
  private int attempts;
  private int failures;
  private int outputLosses;
  private long readyAtMillis;
  private long waitingSinceMillis = Long.MIN_VALUE;
  private boolean delivered;

  TaskState(TaskId id, TaskDefinition definition) {
    this.id = id;
    this.definition = definition;
  }

  TaskId id() {
    return id;
  }

  TaskDefinition definition() {
    return definition;
  }

  /** The output that counts, empty until an attempt finished or after its loss. */
  Optional<TaskOutput> output() {
    return Optional.ofNullable(output);
  }

  /** Attempts now running, with their workers. */
  Map<AttemptId, WorkerId> running() {
    return Map.copyOf(running);
  }

  /** Tries that failed or were lost with their worker. */
  int failures() {
    return failures;
  }

  int outputLosses() {
    return outputLosses;
  }

  boolean needsAttempt(long nowMillis) {
    return !isDone() && running.isEmpty() && readyAtMillis <= nowMillis;
  }

  boolean isDone() {
    return output != null || delivered;
  }

  /** The rows of this result task are all with the client; its output is needed no more. */
  boolean isDelivered() {
    return delivered;
  }

  /** Since when the task could have run; remembers the first call after each change. */
  long waitingSince(long nowMillis) {
    if (waitingSinceMillis == Long.MIN_VALUE) {
      waitingSinceMillis = nowMillis;
    }
    return waitingSinceMillis;
  }

  AttemptId start(WorkerId worker) {
    AttemptId attempt = new AttemptId(id, attempts++);
    running.put(attempt, worker);
    waitingSinceMillis = Long.MIN_VALUE;
    return attempt;
  }

  /** Ends an attempt without judging it; false when it was not running. */
  boolean end(AttemptId attempt) {
    return running.remove(attempt) != null;
  }

  /** Takes the output unless another attempt was first. */
  boolean commit(TaskOutput finished) {
    if (isDone()) {
      return false;
    }
    output = finished;
    return true;
  }

  void failed(long retryAtMillis) {
    failures++;
    readyAtMillis = retryAtMillis;
  }

  void loseOutput() {
    output = null;
    outputLosses++;
  }

  void deliver() {
    delivered = true;
  }
}
