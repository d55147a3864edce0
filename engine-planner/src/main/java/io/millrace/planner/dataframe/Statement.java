package io.millrace.planner.dataframe;

import io.millrace.planner.sql.SqlScript;
import io.millrace.planner.sql.SqlStatement;
import io.millrace.planner.sql.parser.ParsedStatement;
import java.util.Map;

/** One statement of a text; looked up and typed each time it is executed. */
public final class Statement {
  private final Session session;
  private final SqlScript script;
  private final int index;
  private final Map<String, String> parameters;

  Statement(Session session, SqlScript script, int index, Map<String, String> parameters) {
    this.session = session;
    this.script = script;
    this.index = index;
    this.parameters = parameters;
  }

  /**
   * Does the statement; a query is only made ready and runs when its rows are read.
   *
   * @throws io.millrace.core.error.MillraceException with line and column for what is wrong in the
   *     text, and whatever a write fails with
   */
  public StatementResult execute() {
    SqlStatement bound =
        script.bind(index, new SessionCatalog(session), session.cluster(), parameters);
    return new StatementExecution(session).execute(bound);
  }

  /**
   * The plans of the statement's query, as rows of text; the statement is not done, except that
   * ANALYZE runs the query and drops its rows.
   *
   * @throws io.millrace.core.error.MillraceException UNSUPPORTED_SQL when it has no query
   */
  public DataFrame explain(boolean analyze) {
    SqlStatement bound =
        script.bind(index, new SessionCatalog(session), session.cluster(), parameters);
    return new StatementExecution(session)
        .explain(new SqlStatement.Explain(bound, analyze, ParsedStatement.ExplainPhase.ALL));
  }
}
