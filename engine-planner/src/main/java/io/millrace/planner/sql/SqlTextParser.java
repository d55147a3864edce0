package io.millrace.planner.sql;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.planner.logical.DeepStack;
import io.millrace.planner.sql.parser.ParsedStatement;
import io.millrace.planner.sql.parser.SqlError;
import io.millrace.planner.sql.parser.StatementNode;
import io.millrace.planner.sql.parser.impl.MillraceSqlParserImpl;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.calcite.avatica.util.Casing;
import org.apache.calcite.runtime.CalciteContextException;
import org.apache.calcite.runtime.CalciteException;
import org.apache.calcite.sql.SqlExplain;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlInsert;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlSetOption;
import org.apache.calcite.sql.parser.SqlAbstractParserImpl;
import org.apache.calcite.sql.parser.SqlParseException;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.util.SourceStringReader;

/** Reads text into statements; every error says line and column. */
final class SqlTextParser {
  private static final int IDENTIFIER_LENGTH_LIMIT = 1024;

  /** A longer list of what may follow helps nobody. */
  private static final int EXPECTED_LIMIT = 12;

  private SqlTextParser() {}

  /**
   * Parses any number of statements separated by semicolons.
   *
   * @throws MillraceException SYNTAX_ERROR
   */
  static ParsedText parse(String sql) {
    try {
      return DeepStack.call(() -> parseOnce(sql));
    } catch (StackOverflowError failure) {
      throw tooDeep(failure);
    }
  }

  private static ParsedText parseOnce(String sql) {
    MillraceSqlParserImpl parser = new MillraceSqlParserImpl(new SourceStringReader(sql));
    parser.setOriginalSql(sql);
    parser.setTabSize(1);
    parser.setQuotedCasing(Casing.UNCHANGED);
    parser.setUnquotedCasing(Casing.UNCHANGED);
    parser.setIdentifierMaxLength(IDENTIFIER_LENGTH_LIMIT);
    parser.setTimeUnitCodes(Map.of());
    parser.setConformance(MillraceConformance.INSTANCE);
    parser.switchTo(SqlAbstractParserImpl.LexicalState.DQID);
    List<ParsedStatement> statements = new ArrayList<>();
    for (SqlNode node : parse(parser, sql)) {
      statements.add(statement(node));
    }
    return new ParsedText(sql, statements, parser.tableReferences(), parser.namedParameters());
  }

  private static List<SqlNode> parse(MillraceSqlParserImpl parser, String sql) {
    try {
      return List.copyOf(parser.parseSqlStmtList());
    } catch (MillraceException failure) {
      throw failure;
    } catch (CalciteContextException failure) {
      throw contextError(failure);
    } catch (StackOverflowError failure) {
      throw failure;
    } catch (Throwable failure) {
      throw syntaxError(parser.normalizeException(failure), sql);
    }
  }

  /** A parsed node as statement; also for the statement inside EXPLAIN. */
  static ParsedStatement statement(SqlNode node) {
    return switch (node) {
      case StatementNode statement -> statement.statement();
      case SqlInsert insert ->
          new ParsedStatement.Insert(
              (SqlIdentifier) insert.getTargetTable(),
              Optional.ofNullable(insert.getTargetColumnList()),
              insert.getSource());
      case SqlSetOption option ->
          new ParsedStatement.SetSetting(
              ((SqlIdentifier) option.name()).getSimple(),
              Optional.ofNullable(option.getValue()),
              option.getParserPosition());
      case SqlExplain explain ->
          new ParsedStatement.Explain(
              explain.getExplicandum(), false, ParsedStatement.ExplainPhase.ALL);
      default -> {
        if (!node.isA(SqlKind.QUERY)) {
          throw SqlError.at(
              ErrorCode.UNSUPPORTED_SQL,
              node.getParserPosition(),
              "This statement is not supported: " + node.getKind().lowerName.replace('_', ' '));
        }
        yield new ParsedStatement.Query(node);
      }
    };
  }

  /** The depth that fits depends on the thread's stack: some thousand levels. */
  static MillraceException tooDeep(StackOverflowError failure) {
    return new MillraceException(
        ErrorCode.UNSUPPORTED_SQL,
        "The statement is nested too deeply; split it or use a list (IN, VALUES) instead.",
        failure);
  }

  private static MillraceException syntaxError(SqlParseException failure, String sql) {
    SqlParserPos position = failure.getPos();
    if (position == null || failure.getExpectedTokenNames() == null) {
      return SqlError.at(
          ErrorCode.SYNTAX_ERROR,
          position,
          "SQL syntax error: " + firstLine(failure.getMessage()),
          failure);
    }
    String found = SourceText.at(sql, position);
    boolean atEnd = found.isEmpty() || failure.getMessage().contains("<EOF>");
    String near = atEnd ? "at the end of the text" : "at '" + found + "'";
    return SqlError.at(
        ErrorCode.SYNTAX_ERROR,
        position,
        "SQL syntax error " + near + expected(failure.getExpectedTokenNames()),
        failure);
  }

  private static String expected(Collection<String> names) {
    Set<String> shown = new TreeSet<>();
    for (String name : names) {
      if (name.contains("IDENTIFIER")) {
        shown.add("a name");
      } else if (name.contains("QUOTED_STRING")) {
        shown.add("a text in quotes");
      } else if (!name.startsWith("<")) {
        shown.add(name.replace("\"", ""));
      }
    }
    return shown.isEmpty() || shown.size() > EXPECTED_LIMIT
        ? ""
        : "; expected " + String.join(", ", shown);
  }

  /** An error that an action of the grammar met. */
  private static MillraceException contextError(CalciteContextException failure) {
    SqlParserPos position = new SqlParserPos(failure.getPosLine(), failure.getPosColumn());
    Throwable cause = failure.getCause();
    String message = cause instanceof CalciteException ? cause.getMessage() : failure.getMessage();
    return SqlError.at(ErrorCode.SYNTAX_ERROR, position, "SQL syntax error: " + message, failure);
  }

  private static String firstLine(String message) {
    int end = message.indexOf('\n');
    return end < 0 ? message : message.substring(0, end);
  }
}
