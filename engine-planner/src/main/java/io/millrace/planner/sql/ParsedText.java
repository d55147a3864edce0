package io.millrace.planner.sql;

import io.millrace.planner.sql.parser.NamedParameters;
import io.millrace.planner.sql.parser.ParsedStatement;
import io.millrace.planner.sql.parser.TableReferences;
import java.util.List;

/**
 * The statements of one text, not yet validated, with the side tables that their nodes refer to.
 *
 * @param sql the text
 */
record ParsedText(
    String sql,
    List<ParsedStatement> statements,
    TableReferences tableReferences,
    NamedParameters namedParameters) {
  ParsedText {
    statements = List.copyOf(statements);
  }
}
