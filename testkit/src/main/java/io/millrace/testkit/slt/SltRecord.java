package io.millrace.testkit.slt;

import java.util.List;
import java.util.Optional;

/** One test of an SLT file. */
public sealed interface SltRecord {

  /** Line of the file, from 1. */
  int line();

  String sql();

  /** A statement that must succeed; its rows do not matter. */
  record Statement(int line, String sql) implements SltRecord {}

  /** A statement that must fail with this error code. */
  record Failure(int line, String sql, String errorCode) implements SltRecord {}

  /**
   * A query.
   *
   * @param ordered whether the order of its rows matters
   * @param oracleSql DuckDB's spelling; empty when it is the same
   * @param expected rows as tab-separated text; empty when DuckDB's answer is expected
   * @param difference name of the accepted difference from DuckDB for which rows are given
   */
  record Query(
      int line,
      String sql,
      boolean ordered,
      Optional<String> oracleSql,
      Optional<List<String>> expected,
      Optional<String> difference)
      implements SltRecord {}
}
