package io.millrace.core.plan;

import java.util.List;

/** How an Exchange places rows. */
public sealed interface Partitioning {

  /**
   * All rows in one partition; with keys, the inputs are sorted by them and are merged in order.
   */
  record Single(List<OrderKey> mergeKeys) implements Partitioning {
    public Single {
      mergeKeys = List.copyOf(mergeKeys);
    }
  }

  /** Rows with equal keys in the same partition. */
  record Hash(List<Integer> keys) implements Partitioning {
    public Hash {
      keys = List.copyOf(keys);
    }
  }

  /** Every partition gets all rows. */
  record Broadcast() implements Partitioning {}

  /** Rows spread evenly. */
  record RoundRobin() implements Partitioning {}

  Single SINGLE = new Single(List.of());
}
