package io.millrace.planner.sql;

import io.millrace.core.error.ErrorCode;
import io.millrace.planner.sql.parser.SqlError;
import io.millrace.planner.sql.parser.TableReferences;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParserPos;

/** Turns the parser's table references into ones with values. */
final class ReferenceConstants {
  private final WrittenConstants constants;

  ReferenceConstants(WrittenConstants constants) {
    this.constants = constants;
  }

  TableReference resolve(TableReferences.SqlTableReference written) {
    TableReference.Source source =
        switch (written.source()) {
          case TableReferences.Source.Path(String path) -> new TableReference.Source.Path(path);
          case TableReferences.Source.Name(List<String> names) ->
              new TableReference.Source.Name(names);
          case TableReferences.Source.Function function -> function(function, written.position());
        };
    return new TableReference(source, written.version().map(this::version));
  }

  private TableReference.Source function(
      TableReferences.Source.Function function, SqlParserPos position) {
    List<Object> positional = new ArrayList<>();
    Map<String, Object> named = new LinkedHashMap<>();
    for (SqlNode argument : function.arguments()) {
      if (argument.getKind() == SqlKind.ARGUMENT_ASSIGNMENT) {
        SqlCall assignment = (SqlCall) argument;
        String name = ((SqlIdentifier) assignment.operand(1)).getSimple().toLowerCase(Locale.ROOT);
        named.put(name, constants.require(assignment.operand(0)));
      } else if (named.isEmpty()) {
        positional.add(constants.require(argument));
      } else {
        throw SqlError.at(
            ErrorCode.INVALID_ARGUMENT,
            position,
            "Arguments without a name stand before those with one: " + function.name());
      }
    }
    return new TableReference.Source.Function(
        function.name().toLowerCase(Locale.ROOT), positional, named);
  }

  private TableReference.Version version(TableReferences.Version written) {
    Object value = constants.require(written.value());
    return switch (written.kind()) {
      case VERSION ->
          value instanceof Integer || value instanceof Long
              ? new TableReference.Version.Number(((Number) value).longValue())
              : wrong(written, "a whole number");
      case TAG ->
          value instanceof String tag
              ? new TableReference.Version.Tag(tag)
              : wrong(written, "a text");
      case TIMESTAMP -> new TableReference.Version.Time(value);
    };
  }

  private static TableReference.Version wrong(TableReferences.Version written, String wanted) {
    throw SqlError.at(
        ErrorCode.INVALID_ARGUMENT,
        written.value().getParserPosition(),
        "A version of this kind is " + wanted + ": " + written.value());
  }
}
