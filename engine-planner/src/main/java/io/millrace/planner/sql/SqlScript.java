package io.millrace.planner.sql;

import io.millrace.core.error.MillraceException;
import io.millrace.planner.logical.DeepStack;
import io.millrace.planner.sql.parser.ParsedStatement;
import java.util.List;
import java.util.Map;
import org.apache.calcite.plan.RelOptCluster;

/**
 * The statements of one text. Each is bound when its turn has come, because earlier ones may create
 * what later ones read.
 */
public final class SqlScript {
  private final ParsedText text;
  private final boolean[] bound;

  private SqlScript(ParsedText text) {
    this.text = text;
    this.bound = new boolean[text.statements().size()];
  }

  /**
   * Parses any number of statements separated by semicolons.
   *
   * @throws MillraceException SYNTAX_ERROR or UNSUPPORTED_TYPE, with line and column
   */
  public static SqlScript parse(String sql) {
    return new SqlScript(SqlTextParser.parse(sql));
  }

  /** Number of statements. */
  public int size() {
    return bound.length;
  }

  /**
   * Validates a statement and converts its query into the cluster.
   *
   * @param index from 0
   * @param cluster of {@link io.millrace.planner.logical.IdlePlanner}
   * @param parameters JSON text by name, for {@code :name}
   * @throws MillraceException UNKNOWN_TABLE, UNKNOWN_COLUMN, UNKNOWN_FUNCTION, TYPE_MISMATCH,
   *     MISSING_PARAMETER …, with line and column
   */
  public SqlStatement bind(
      int index, Catalog catalog, RelOptCluster cluster, Map<String, String> parameters) {
    try {
      return DeepStack.call(() -> bindOnce(index, catalog, cluster, parameters));
    } catch (StackOverflowError failure) {
      throw SqlTextParser.tooDeep(failure);
    }
  }

  private SqlStatement bindOnce(
      int index, Catalog catalog, RelOptCluster cluster, Map<String, String> parameters) {
    // validation writes into the tree, so a statement bound again is parsed again
    ParsedText own = bound[index] ? SqlTextParser.parse(text.sql()) : text;
    bound[index] = true;
    ParsedStatement statement = own.statements().get(index);
    return new StatementBinder(own, catalog, cluster, parameters).bind(statement);
  }

  /** Binds the only statement of a text. */
  public static SqlStatement bindOnly(
      String sql, Catalog catalog, RelOptCluster cluster, Map<String, String> parameters) {
    SqlScript script = parse(sql);
    if (script.size() != 1) {
      throw new MillraceException(
          io.millrace.core.error.ErrorCode.SYNTAX_ERROR,
          "One statement is expected here, found " + script.size());
    }
    return script.bind(0, catalog, cluster, parameters);
  }

  /** The parameters that the text names, in order of first use. */
  public List<String> parameterNames() {
    return text.namedParameters().names();
  }
}
