package io.millrace.testkit.slt;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Runs SLT files on an engine and compares with the oracle. */
public final class SltRunner {
  private static final int SHOWN_LIMIT = 20;

  private final QueryEngine engine;
  private final QueryEngine oracle;
  private final Map<String, String> variables;

  /**
   * @param variables texts that replace {@code ${name}} in queries, such as data folders
   */
  public SltRunner(QueryEngine engine, QueryEngine oracle, Map<String, String> variables) {
    this.engine = engine;
    this.oracle = oracle;
    this.variables = Map.copyOf(variables);
  }

  /**
   * Runs all records of a file, also after one that fails.
   *
   * @return how many ran
   * @throws AssertionError naming file, line, engine and what differs for the first records that
   *     fail
   */
  public int run(Path file) throws IOException {
    List<SltRecord> records = SltFile.read(file);
    List<String> failures = new ArrayList<>();
    Throwable first = null;
    for (SltRecord record : records) {
      try {
        run(record);
      } catch (RuntimeException | AssertionError problem) {
        first = first == null ? problem : first;
        failures.add(describe(file, record, problem));
      }
    }
    if (!failures.isEmpty()) {
      throw new AssertionError(
          failures.size()
              + " of "
              + records.size()
              + " records fail\n"
              + failures.stream().limit(SHOWN_LIMIT).collect(Collectors.joining("\n\n")),
          first);
    }
    return records.size();
  }

  private String describe(Path file, SltRecord record, Throwable problem) {
    return file.getFileName()
        + ":"
        + record.line()
        + " on "
        + engine.name()
        + ": "
        + problem.getMessage()
        + "\n"
        + record.sql();
  }

  private String filled(String sql) {
    String text = sql;
    for (Map.Entry<String, String> variable : variables.entrySet()) {
      text = text.replace("${" + variable.getKey() + "}", variable.getValue());
    }
    return text;
  }

  private void run(SltRecord record) {
    String sql = filled(record.sql());
    switch (record) {
      case SltRecord.Statement statement -> {
        engine.run(sql);
        oracle.run(sql);
      }
      case SltRecord.Failure failure -> expectFailure(failure, sql);
      case SltRecord.Query query -> compare(query, sql);
    }
  }

  private void expectFailure(SltRecord.Failure failure, String sql) {
    List<List<Object>> rows;
    try {
      rows = engine.run(sql);
    } catch (RuntimeException problem) {
      String code = engine.errorCode(problem);
      if (!code.equals(failure.errorCode())) {
        throw new AssertionError(
            "expected error " + failure.errorCode() + ", got " + code, problem);
      }
      return;
    }
    throw new AssertionError(
        "expected error " + failure.errorCode() + ", got " + rows.size() + " rows");
  }

  private void compare(SltRecord.Query query, String sql) {
    query.difference().ifPresent(AcceptedDifference::valueOf);
    List<String> actual = RowText.of(engine.run(sql), query.ordered());
    List<String> expected =
        query
            .expected()
            .map(rows -> query.ordered() ? rows : rows.stream().sorted().toList())
            .orElseGet(
                () ->
                    RowText.of(
                        oracle.run(filled(query.oracleSql().orElse(query.sql()))),
                        query.ordered()));
    if (!actual.equals(expected)) {
      throw new AssertionError(difference(expected, actual));
    }
  }

  /** The first row that differs and the row counts. */
  private static String difference(List<String> expected, List<String> actual) {
    int row = 0;
    while (row < Math.min(expected.size(), actual.size())
        && expected.get(row).equals(actual.get(row))) {
      row++;
    }
    return "rows differ from row "
        + row
        + " on (expected "
        + expected.size()
        + " rows, got "
        + actual.size()
        + ")\nexpected: "
        + (row < expected.size() ? expected.get(row) : "(no row)")
        + "\nactual:   "
        + (row < actual.size() ? actual.get(row) : "(no row)");
  }
}
