package io.millrace.planner.dataframe;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.error.NearestNames;
import io.millrace.core.expr.Columns;
import io.millrace.core.expr.Expr;
import io.millrace.core.spi.Connector;
import io.millrace.planner.sql.TableReference;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Table functions: {@code read_NAME(path, option => value …)} for every connector of that name, and
 * {@code read_images}.
 */
final class TableFunctions {
  private static final String PREFIX = "read_";
  private static final String IMAGES = "read_images";

  private final Session session;

  TableFunctions(Session session) {
    this.session = session;
  }

  /**
   * @throws MillraceException UNKNOWN_FUNCTION naming the nearest, INVALID_ARGUMENT, UNKNOWN_OPTION
   */
  Relation rows(TableReference.Source.Function function, Map<String, String> pin) {
    List<String> uris = uris(function);
    if (function.name().equals(IMAGES)) {
      return images(uris, function.named());
    }
    Map<String, String> options = new TreeMap<>(pin);
    function.named().forEach((name, value) -> options.put(name, text(value)));
    return Relation.of(
        session.sources().open(Optional.of(connector(function.name())), uris, options));
  }

  private String connector(String function) {
    List<String> known =
        session.services().connectors().all().stream().map(Connector::name).toList();
    String name = function.startsWith(PREFIX) ? function.substring(PREFIX.length()) : "";
    if (!known.contains(name)) {
      List<String> functions = new ArrayList<>(known.stream().map(PREFIX::concat).toList());
      functions.add(IMAGES);
      throw new MillraceException(
          ErrorCode.UNKNOWN_FUNCTION,
          "Unknown table function '"
              + function
              + "'"
              + NearestNames.hint(function, functions)
              + " Table functions: "
              + String.join(", ", functions));
    }
    return name;
  }

  private static List<String> uris(TableReference.Source.Function function) {
    List<String> uris = new ArrayList<>();
    for (Object argument : function.arguments()) {
      switch (argument) {
        case String uri -> uris.add(uri);
        case List<?> list -> list.forEach(uri -> uris.add(String.valueOf(uri)));
        case null, default ->
            throw new MillraceException(
                ErrorCode.INVALID_ARGUMENT,
                "A table function takes paths in quotes and then option => value: "
                    + function.name()
                    + ", given "
                    + argument);
      }
    }
    if (uris.isEmpty()) {
      throw new MillraceException(
          ErrorCode.INVALID_ARGUMENT,
          "A table function takes at least one path: " + function.name());
    }
    return uris;
  }

  /** An option's value as connectors take it: lists are separated by commas. */
  static String text(Object value) {
    return switch (value) {
      case null -> "";
      case List<?> list -> String.join(",", list.stream().map(String::valueOf).toList());
      default -> value.toString();
    };
  }

  /** One row per file: its path and the picture in it. */
  private Relation images(List<String> uris, Map<String, Object> named) {
    DataFrame files = session.frame(session.sources().open(Optional.of("files"), uris, Map.of()));
    Map<String, Expr> arguments = new LinkedHashMap<>();
    named.forEach((name, value) -> arguments.put(name, Columns.lit(value).expr()));
    Expr decoded = new Expr.Call("decode_image", List.of(Columns.col("content").expr()), arguments);
    return session
        .relations()
        .select(
            files.relation(),
            List.of(Columns.col("path").expr(), new Expr.Alias(decoded, "image")));
  }
}
