package io.millrace.planner.dataframe;

import io.millrace.core.config.Configuration;
import io.millrace.core.config.Setting;
import io.millrace.core.config.Settings;
import io.millrace.core.function.FunctionDefinition;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import io.millrace.core.udf.UserFunction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** What SHOW and DESCRIBE list, as rows. */
final class SessionListing {
  private final Session session;

  SessionListing(Session session) {
    this.session = session;
  }

  private DataFrame rows(List<String> names, List<List<?>> rows) {
    Schema schema =
        new Schema(names.stream().map(name -> Field.nullable(name, DataType.STRING)).toList());
    return session.fromRows(schema, rows);
  }

  /** Rows whose first column is like the pattern. */
  private static List<List<?>> matching(List<List<?>> rows, Optional<String> pattern) {
    if (pattern.isEmpty()) {
      return rows;
    }
    String expression =
        Arrays.stream(pattern.get().split("(?<=[%_])|(?=[%_])"))
            .map(
                part ->
                    switch (part) {
                      case "%" -> ".*";
                      case "_" -> ".";
                      default -> Pattern.quote(part);
                    })
            .reduce("", String::concat);
    Pattern like = Pattern.compile(expression, Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
    return rows.stream().filter(row -> like.matcher((String) row.getFirst()).matches()).toList();
  }

  DataFrame tables(Optional<String> pattern) {
    List<List<?>> rows = new ArrayList<>();
    for (Catalog.Entry entry : session.catalog().all()) {
      rows.add(List.of(entry.name(), entry.view() ? "view" : "table"));
    }
    return rows(List.of("name", "kind"), matching(rows, pattern));
  }

  DataFrame functions(Optional<String> pattern) {
    List<List<?>> rows = new ArrayList<>();
    for (UserFunction function : session.userFunctions().values()) {
      rows.add(
          List.of(
              function.name(),
              "user-defined",
              function.argumentTypes() + " gives " + function.resultType()));
    }
    for (FunctionDefinition definition : session.services().functions().definitions()) {
      rows.add(
          List.of(
              definition.name(),
              definition.kind().name().toLowerCase(Locale.ROOT),
              definition.summary()));
    }
    return rows(List.of("name", "kind", "summary"), matching(rows, pattern));
  }

  DataFrame settings(Optional<String> pattern) {
    List<List<?>> rows = new ArrayList<>();
    for (Setting<?> setting : Settings.all()) {
      rows.add(List.of(setting.name(), text(setting), setting.description()));
    }
    return rows(List.of("name", "value", "description"), matching(rows, pattern));
  }

  private String text(Setting<?> setting) {
    return session.configuration().texts().getOrDefault(setting.name(), setting.defaultText());
  }

  DataFrame setting(String name) {
    Setting<?> setting = Configuration.require(name);
    return rows(List.of("name", "value"), List.of(List.of(setting.name(), text(setting))));
  }

  DataFrame columns(DataFrame frame) {
    List<List<?>> rows = new ArrayList<>();
    for (Field field : frame.schema().fields()) {
      rows.add(List.of(field.name(), field.type().toString(), field.nullable() ? "yes" : "no"));
    }
    return rows(List.of("column_name", "column_type", "nullable"), rows);
  }

  DataFrame lines(String name, String text) {
    List<List<?>> rows = new ArrayList<>();
    text.lines().forEach(line -> rows.add(List.of(line)));
    return rows(List.of(name), rows);
  }
}
