package io.millrace.planner.sql;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.error.NearestNames;
import io.millrace.planner.sql.parser.SqlError;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.calcite.runtime.CalciteContextException;
import org.apache.calcite.sql.parser.SqlParserPos;

/** Turns the validator's errors into ours, with the nearest names. */
final class ValidationErrors {
  private static final Pattern TABLE =
      Pattern.compile(
          "Object '(?<name>.*?)' not found(?: within '(?<schema>.*?)')?.*", Pattern.DOTALL);
  private static final Pattern TABLE_OF_COLUMN = Pattern.compile("Table '(.*?)' not found.*");
  private static final Pattern COLUMN =
      Pattern.compile("(?:Column '(.*?)' not found in .*|Unknown (?:identifier|field) '(.*?)')");
  private static final Pattern AMBIGUOUS = Pattern.compile("Column '(.*?)' is ambiguous");

  private ValidationErrors() {}

  static MillraceException translate(
      CalciteContextException failure, StatementCatalogReader reader) {
    SqlParserPos position = new SqlParserPos(failure.getPosLine(), failure.getPosColumn());
    String message =
        failure.getCause() == null ? failure.getMessage() : failure.getCause().getMessage();
    Matcher table = TABLE.matcher(message);
    if (table.matches()) {
      String schema = table.group("schema");
      String name = (schema == null ? "" : schema + ".") + table.group("name");
      return unknownTable(name, position, reader, failure);
    }
    Matcher column = COLUMN.matcher(message);
    if (column.matches()) {
      String name = column.group(1) == null ? column.group(2) : column.group(1);
      return unknownColumn(name, position, reader, failure);
    }
    Matcher ambiguous = AMBIGUOUS.matcher(message);
    if (ambiguous.matches()) {
      return SqlError.at(
          ErrorCode.AMBIGUOUS_NAME,
          position,
          "Several columns have this name; qualify it with its table: '" + ambiguous.group(1) + "'",
          failure);
    }
    Matcher qualifier = TABLE_OF_COLUMN.matcher(message);
    if (qualifier.matches()) {
      return SqlError.at(
          ErrorCode.UNKNOWN_TABLE,
          position,
          "No table of this name stands in FROM: '" + qualifier.group(1) + "'",
          failure);
    }
    return SqlError.at(code(message), position, message, failure);
  }

  private static MillraceException unknownTable(
      String name,
      SqlParserPos position,
      StatementCatalogReader reader,
      CalciteContextException failure) {
    return SqlError.at(
        ErrorCode.UNKNOWN_TABLE,
        position,
        "Unknown table '"
            + name
            + "'"
            + NearestNames.hint(name, reader.catalog().tableNames())
            + (name.contains(".") || name.contains("/") ? "; put paths in single quotes" : ""),
        failure);
  }

  private static MillraceException unknownColumn(
      String name,
      SqlParserPos position,
      StatementCatalogReader reader,
      CalciteContextException failure) {
    List<String> columns =
        reader.openedTables().stream()
            .flatMap(table -> table.schema().names().stream())
            .distinct()
            .toList();
    return SqlError.at(
        ErrorCode.UNKNOWN_COLUMN,
        position,
        "Unknown column '" + name + "'" + NearestNames.hint(name, columns),
        failure);
  }

  /**
   * What else the validator refuses is a matter of types, or of clauses that do not go together.
   */
  private static ErrorCode code(String message) {
    boolean types =
        message.toLowerCase(Locale.ROOT).contains("type")
            || message.contains("must be a condition")
            || message.contains("Cannot apply")
            || message.contains("must produce");
    return types ? ErrorCode.TYPE_MISMATCH : ErrorCode.UNSUPPORTED_SQL;
  }
}
