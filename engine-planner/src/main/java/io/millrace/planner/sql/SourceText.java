package io.millrace.planner.sql;

import org.apache.calcite.sql.parser.SqlParserPos;

/** Cuts pieces out of a SQL text by Calcite's positions, which count lines and columns from 1. */
final class SourceText {
  private SourceText() {}

  /** The text between the two ends of the position, both included. */
  static String at(String sql, SqlParserPos position) {
    int start = offset(sql, position.getLineNum(), position.getColumnNum());
    int end = offset(sql, position.getEndLineNum(), position.getEndColumnNum()) + 1;
    return start >= sql.length() ? "" : sql.substring(start, Math.clamp(end, start, sql.length()));
  }

  private static int offset(String sql, int line, int column) {
    int start = 0;
    for (int current = 1; current < line; current++) {
      start = lineEnd(sql, start);
    }
    return start + column - 1;
  }

  /** Where the next line begins; a carriage return with its line feed is one end. */
  private static int lineEnd(String sql, int from) {
    int index = from;
    while (index < sql.length() && sql.charAt(index) != '\n' && sql.charAt(index) != '\r') {
      index++;
    }
    boolean pair = index + 1 < sql.length() && sql.startsWith("\r\n", index);
    return index + (pair ? 2 : 1);
  }
}
