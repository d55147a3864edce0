package io.millrace.integration.slt;

import io.millrace.core.error.MillraceException;
import io.millrace.planner.dataframe.DataFrame;
import io.millrace.planner.dataframe.Row;
import io.millrace.planner.dataframe.Session;
import io.millrace.planner.dataframe.StatementResult;
import io.millrace.testkit.slt.QueryEngine;
import java.util.List;
import java.util.Map;

/** This engine, through a Session. */
final class SessionEngine implements QueryEngine {
  private final String name;
  private final Session session;

  SessionEngine(String name, Session session) {
    this.name = name;
    this.session = session;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public List<List<Object>> run(String sql) {
    return switch (session.execute(sql, Map.of())) {
      case StatementResult.Rows(DataFrame rows) ->
          rows.collect().stream().map(Row::values).toList();
      case StatementResult.Done done -> List.of();
    };
  }

  @Override
  public String errorCode(RuntimeException failure) {
    return failure instanceof MillraceException known
        ? known.code().name()
        : failure.getClass().getName();
  }

  @Override
  public void close() {
    session.close();
  }
}
