package io.millrace.cluster.schedule;

import java.util.List;

/**
 * The finished output of an attempt, kept on the worker that ran it.
 *
 * @param attempt the attempt that wrote it
 * @param worker the worker that keeps it
 * @param partitionBytes size of each partition in bytes; empty ones are never asked for
 */
public record TaskOutput(AttemptId attempt, WorkerId worker, List<Long> partitionBytes) {

  public TaskOutput {
    partitionBytes = List.copyOf(partitionBytes);
  }

  public long totalBytes() {
    return partitionBytes.stream().mapToLong(Long::longValue).sum();
  }
}
