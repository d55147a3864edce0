package io.millrace.cluster.schedule;

import java.util.Set;

/**
 * A task as the scheduler sees it.
 *
 * @param task its number within the stage
 * @param preferredHosts hosts that hold its input; empty when any is as good
 */
public record TaskDefinition(int task, Set<String> preferredHosts) {

  public TaskDefinition {
    preferredHosts = Set.copyOf(preferredHosts);
  }
}
