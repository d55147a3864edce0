package io.millrace.planner.physical;

import java.util.List;

/** Where the rows of a plan are. */
sealed interface Distribution {

  /** All in one partition. */
  record Single() implements Distribution {}

  /** In several partitions, rows with equal values of these columns in the same one. */
  record Hashed(List<Integer> keys) implements Distribution {
    public Hashed {
      keys = List.copyOf(keys);
    }
  }

  /** In several partitions, nothing known. */
  record Anywhere() implements Distribution {}

  Single SINGLE = new Single();
  Anywhere ANYWHERE = new Anywhere();

  /** Whether rows that are equal in the given columns are in the same partition. */
  default boolean groups(List<Integer> columns) {
    return switch (this) {
      case Single unused -> true;
      case Hashed hashed -> columns.containsAll(hashed.keys());
      case Anywhere unused -> false;
    };
  }
}
