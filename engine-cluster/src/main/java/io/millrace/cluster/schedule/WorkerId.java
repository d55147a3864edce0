package io.millrace.cluster.schedule;

/** Names one incarnation of a worker process; a restarted worker has another id. */
public record WorkerId(String value) implements Comparable<WorkerId> {

  @Override
  public int compareTo(WorkerId other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }
}
