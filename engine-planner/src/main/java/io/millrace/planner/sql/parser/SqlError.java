package io.millrace.planner.sql.parser;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import org.apache.calcite.sql.parser.SqlParserPos;

/** Makes errors that say where in the SQL text they stand. */
public final class SqlError {
  private SqlError() {}

  /** An error at the place; the sentence is without a final stop. */
  public static MillraceException at(ErrorCode code, SqlParserPos position, String sentence) {
    return new MillraceException(code, sentence + place(position));
  }

  /** As {@link #at} with the failure that led to it. */
  public static MillraceException at(
      ErrorCode code, SqlParserPos position, String sentence, Throwable cause) {
    return new MillraceException(code, sentence + place(position), cause);
  }

  /** {@code (line 1, column 8)}, or nothing for a node that has no place in the text. */
  public static String place(SqlParserPos position) {
    return position == null || position.getLineNum() <= 0
        ? ""
        : " (line " + position.getLineNum() + ", column " + position.getColumnNum() + ")";
  }
}
