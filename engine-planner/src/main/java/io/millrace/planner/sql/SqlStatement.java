package io.millrace.planner.sql;

import io.millrace.core.type.Schema;
import io.millrace.planner.sql.parser.ParsedStatement.ExplainPhase;
import io.millrace.planner.sql.parser.ParsedStatement.ObjectKind;
import io.millrace.planner.sql.parser.ParsedStatement.ShowKind;
import io.millrace.planner.type.MillraceTypeFactory;
import java.util.Map;
import java.util.Optional;
import org.apache.calcite.rel.RelNode;

/** One validated statement, ready to be planned or done. */
public sealed interface SqlStatement {

  /**
   * A query. The tree's columns are the result's columns, in order and with the written names; an
   * ORDER BY is a Sort at its root.
   */
  record Query(RelNode rel) implements SqlStatement {
    /** The columns of the result. */
    public Schema schema() {
      return MillraceTypeFactory.schema(rel.getRowType());
    }
  }

  record CreateTableAs(String name, boolean replace, boolean ifNotExists, Query query)
      implements SqlStatement {}

  /**
   * CREATE VIEW.
   *
   * @param sql the query's text, parsed again wherever it is needed
   */
  record CreateView(String name, boolean replace, boolean ifNotExists, Query query, String sql)
      implements SqlStatement {}

  record Drop(ObjectKind kind, String name, boolean ifExists) implements SqlStatement {}

  /**
   * COPY.
   *
   * @param options by lower-case name; Java values as in {@link TableReference.Source.Function},
   *     TRUE for a name alone
   */
  record Copy(Query query, String target, Map<String, Object> options) implements SqlStatement {}

  /**
   * INSERT. The query's columns are the target's, by position, name and type.
   *
   * @param target a name of the catalog or a path
   */
  record Insert(TableReference target, Query query) implements SqlStatement {}

  /** CREATE FUNCTION; without a jar the class is one that the engine's class loader sees. */
  record CreateFunction(
      String name, boolean replace, boolean ifNotExists, String className, Optional<String> jar)
      implements SqlStatement {}

  /** SET; empty resets the setting. */
  record SetSetting(String key, Optional<String> value) implements SqlStatement {}

  /**
   * SHOW.
   *
   * @param key the setting, for SETTING
   * @param table reads the table that is named, for COLUMNS and TABLE_HEALTH
   * @param pattern LIKE's pattern
   */
  record Show(ShowKind kind, Optional<String> key, Optional<Query> table, Optional<String> pattern)
      implements SqlStatement {}

  /** DESCRIBE; the columns of the query. */
  record Describe(Query query) implements SqlStatement {}

  /** EXPLAIN of a query or of a statement with one. */
  record Explain(SqlStatement statement, boolean analyze, ExplainPhase phase)
      implements SqlStatement {}

  /** The statement's query, if it has one. */
  default Optional<Query> source() {
    return switch (this) {
      case Query query -> Optional.of(query);
      case CreateTableAs create -> Optional.of(create.query());
      case CreateView create -> Optional.of(create.query());
      case Copy copy -> Optional.of(copy.query());
      case Insert insert -> Optional.of(insert.query());
      case Show show -> show.table();
      case Describe describe -> Optional.of(describe.query());
      case Explain explain -> explain.statement().source();
      case Drop unused -> Optional.empty();
      case CreateFunction unused -> Optional.empty();
      case SetSetting unused -> Optional.empty();
    };
  }
}
