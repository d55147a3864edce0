package io.millrace.exec.build;

import io.millrace.core.plan.OrderKey;
import io.millrace.core.spi.BatchSource;
import java.util.List;

/**
 * The rows of one StageInput leaf in one task.
 *
 * @param sources one per producing task or stream; the task closes them, in any case
 * @param mergeKeys when not empty, every source is sorted by these and the task merges them in
 *     order
 */
public record TaskInput(List<BatchSource> sources, List<OrderKey> mergeKeys) {
  public TaskInput {
    sources = List.copyOf(sources);
    mergeKeys = List.copyOf(mergeKeys);
  }
}
