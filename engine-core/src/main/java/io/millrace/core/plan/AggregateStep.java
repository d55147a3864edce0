package io.millrace.core.plan;

/** Where in a two-level aggregation a node stands. */
public enum AggregateStep {
  /** Values in, results out. */
  SINGLE,
  /** Values in, states out. */
  PARTIAL,
  /** States in, results out. */
  FINAL
}
