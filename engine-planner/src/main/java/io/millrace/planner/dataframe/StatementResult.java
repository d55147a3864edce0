package io.millrace.planner.dataframe;

import io.millrace.core.metrics.QueryProfile;

/** What a statement gives. */
public sealed interface StatementResult {

  /** Rows that are still to be read: of a query, SHOW, DESCRIBE or EXPLAIN. */
  record Rows(DataFrame rows) implements StatementResult {}

  /**
   * A statement that is done.
   *
   * @param action what was done, for example {@code COPY} or {@code CREATE VIEW}
   * @param rows rows written; 0 for statements that write none
   * @param profile what the operators of a write did; empty for other statements
   */
  record Done(String action, long rows, QueryProfile profile) implements StatementResult {}
}
