package io.millrace.core.plan;

/** Which rows a join keeps besides the matching pairs. */
public enum JoinType {
  INNER,
  /** Probe rows without a match too, with nulls. */
  LEFT,
  /** Build rows without a match too, with nulls. */
  RIGHT,
  FULL,
  /** Probe rows with at least one match, once. */
  SEMI,
  /** Probe rows without a match. */
  ANTI
}
