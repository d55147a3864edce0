package io.millrace.planner.sql.parser;

import io.millrace.core.error.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * The table references of one text that are more than a name: paths, table functions, pinned
 * versions. In the tree each stands as an identifier with a name that no user can write and its
 * number here, so Calcite's validator treats them all as tables; the catalog reader looks them up
 * again by {@link #find}. Filled by the parser.
 */
public final class TableReferences {
  private static final String MARKER = "\u0000reference";

  private final List<SqlTableReference> references = new ArrayList<>();

  /** How a version is pinned. */
  public enum VersionKind {
    VERSION,
    TIMESTAMP,
    TAG
  }

  /** What stands in FROM. */
  public sealed interface Source {
    /** A path or URI in quotes. */
    record Path(String path) implements Source {}

    /** A call; arguments may be named ones ({@link SqlKind#ARGUMENT_ASSIGNMENT}). */
    record Function(String name, List<SqlNode> arguments) implements Source {
      public Function {
        arguments = List.copyOf(arguments);
      }
    }

    /** A name in the catalog. */
    record Name(List<String> names) implements Source {
      public Name {
        names = List.copyOf(names);
      }
    }
  }

  /** A pinned version: a number, time or tag, as literal or parameter. */
  public record Version(VersionKind kind, SqlNode value) {}

  /** One reference and where it stands. */
  public record SqlTableReference(
      Source source, Optional<Version> version, SqlParserPos position) {}

  /** The identifier of a path. */
  public SqlIdentifier path(String path, SqlParserPos position) {
    return add(new SqlTableReference(new Source.Path(path), Optional.empty(), position));
  }

  /** The identifier of a call to a table function. */
  public SqlIdentifier function(
      SqlIdentifier name, List<SqlNode> arguments, SqlParserPos position) {
    Source source = new Source.Function(name.toString(), arguments);
    return add(new SqlTableReference(source, Optional.empty(), position));
  }

  /** The identifier of a call written {@code TABLE(f(…))}. */
  public SqlIdentifier function(SqlCall call, SqlParserPos position) {
    SqlFunction function = (SqlFunction) call.getOperator();
    return function(function.getNameAsId(), call.getOperandList(), position);
  }

  /** The same table at a version. */
  public SqlIdentifier versioned(
      SqlNode table, VersionKind kind, SqlNode value, SqlParserPos position) {
    if (!(table instanceof SqlIdentifier identifier)) {
      throw SqlError.at(
          ErrorCode.SYNTAX_ERROR, position, "Only a table or path can be read at a version");
    }
    Optional<SqlTableReference> known = find(identifier.names);
    Source source =
        known.map(SqlTableReference::source).orElseGet(() -> new Source.Name(identifier.names));
    return add(new SqlTableReference(source, Optional.of(new Version(kind, value)), position));
  }

  /** The reference behind an identifier's names; empty when it is a plain name. */
  public Optional<SqlTableReference> find(List<String> names) {
    return names.size() == 2 && names.getFirst().equals(MARKER)
        ? Optional.of(references.get(Integer.parseInt(names.getLast())))
        : Optional.empty();
  }

  /** Gives a reference without alias the name that its columns can be qualified with. */
  public SqlNode withDefaultAlias(SqlNode table) {
    if (!(table instanceof SqlIdentifier identifier)) {
      return table;
    }
    return find(identifier.names)
        .map(
            reference ->
                (SqlNode)
                    SqlStdOperatorTable.AS.createCall(
                        table.getParserPosition(),
                        table,
                        new SqlIdentifier(
                            defaultAlias(reference.source()), table.getParserPosition())))
        .orElse(table);
  }

  /** The query {@code SELECT * FROM table}. */
  public SqlNode selectAll(SqlNode table) {
    SqlParserPos position = table.getParserPosition();
    return new SqlSelect(
        position,
        null,
        new SqlNodeList(List.of(SqlIdentifier.star(position)), position),
        table,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null);
  }

  private SqlIdentifier add(SqlTableReference reference) {
    references.add(reference);
    return new SqlIdentifier(
        List.of(MARKER, String.valueOf(references.size() - 1)), reference.position());
  }

  private static String defaultAlias(Source source) {
    return switch (source) {
      case Source.Path(String path) -> stem(path);
      case Source.Function(String name, List<SqlNode> arguments) -> name;
      case Source.Name(List<String> names) -> names.getLast();
    };
  }

  /** The last folder or file name of a path without its suffixes; the path when that is empty. */
  private static String stem(String path) {
    int end = path.length();
    while (end > 0 && path.charAt(end - 1) == '/') {
      end--;
    }
    String name = path.substring(path.lastIndexOf('/', Math.max(0, end - 1)) + 1, end);
    int dot = name.indexOf('.', 1);
    String stem = dot > 0 ? name.substring(0, dot) : name;
    return stem.isEmpty() ? path : stem;
  }
}
