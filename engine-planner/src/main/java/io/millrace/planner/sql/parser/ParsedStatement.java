package io.millrace.planner.sql.parser;

import java.util.List;
import java.util.Optional;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.parser.SqlParserPos;

/** One statement as written: names and values are not yet looked up. */
public sealed interface ParsedStatement {

  /** What DROP removes. */
  enum ObjectKind {
    TABLE,
    VIEW,
    FUNCTION
  }

  /** What SHOW lists. */
  enum ShowKind {
    TABLES,
    FUNCTIONS,
    SETTINGS,
    SETTING,
    COLUMNS,
    TABLE_HEALTH
  }

  /** The phases that EXPLAIN prints. */
  enum ExplainPhase {
    ALL,
    LOGICAL,
    OPTIMIZED,
    PHYSICAL,
    STAGES
  }

  /** A name with an optional value, as in COPY's option list. */
  record Option(String name, Optional<SqlNode> value, SqlParserPos position) {}

  record Query(SqlNode query) implements ParsedStatement {}

  record CreateTableAs(SqlIdentifier name, boolean replace, boolean ifNotExists, SqlNode query)
      implements ParsedStatement {}

  record CreateView(SqlIdentifier name, boolean replace, boolean ifNotExists, SqlNode query)
      implements ParsedStatement {}

  record CreateFunction(
      SqlIdentifier name,
      boolean replace,
      boolean ifNotExists,
      String className,
      Optional<String> jar)
      implements ParsedStatement {}

  record Drop(ObjectKind kind, SqlIdentifier name, boolean ifExists) implements ParsedStatement {}

  record Copy(SqlNode query, String target, SqlParserPos targetPosition, List<Option> options)
      implements ParsedStatement {
    public Copy {
      options = List.copyOf(options);
    }
  }

  /** INSERT INTO target [(columns)] query; no columns means all in their order. */
  record Insert(SqlIdentifier target, Optional<SqlNodeList> columns, SqlNode query)
      implements ParsedStatement {}

  /** SET key = value; no value resets the key. */
  record SetSetting(String key, Optional<SqlNode> value, SqlParserPos position)
      implements ParsedStatement {}

  /** SHOW; {@code query} reads the whole of the table that is named, if one is. */
  record Show(
      ShowKind kind, Optional<String> key, Optional<SqlNode> query, Optional<String> pattern)
      implements ParsedStatement {}

  record Describe(SqlNode query) implements ParsedStatement {}

  /** EXPLAIN; the statement is a query or a StatementNode. */
  record Explain(SqlNode statement, boolean analyze, ExplainPhase phase)
      implements ParsedStatement {}
}
