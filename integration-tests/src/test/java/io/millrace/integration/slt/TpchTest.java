package io.millrace.integration.slt;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.integration.architecture.SourceTree;
import io.millrace.planner.dataframe.Session;
import io.millrace.testkit.slt.DuckDbOracle;
import io.millrace.testkit.slt.QueryEngine;
import io.millrace.testkit.slt.SltRunner;
import io.trino.tpch.TpchColumn;
import io.trino.tpch.TpchEntity;
import io.trino.tpch.TpchTable;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** All TPC-H queries have DuckDB's answers, on a small scale, in one process and on two workers. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TpchTest {
  private static final double SCALE = 0.01;
  private static final int QUERIES = 22;

  /** Divides decimals: here the answer is one, in DuckDB a double. */
  private static final int RATIO = 14;

  private Path data;
  private Path queries;
  private DuckDbOracle oracle;

  @BeforeAll
  void write(@TempDir Path folder) throws IOException {
    data = folder;
    oracle = new DuckDbOracle();
    for (TpchTable<?> table : TpchTable.getTables()) {
      write(table);
      oracle.run(view(table));
    }
    queries = data.resolve("tpch.slt");
    Path texts = SourceTree.ofThisRepository().root().resolve("benchmarks/tpch");
    StringBuilder records = new StringBuilder();
    for (int number = 1; number <= QUERIES; number++) {
      String sql = Files.readString(texts.resolve(String.format("q%02d.sql", number)));
      String text =
          sql.lines()
              .filter(line -> !line.isBlank())
              .collect(Collectors.joining("\n"))
              .replaceAll(";\\s*$", "");
      records.append(number == RATIO ? rounded(text) : "query\n" + text).append("\n\n");
    }
    Files.writeString(queries, records);
  }

  @AfterAll
  void close() {
    oracle.close();
  }

  private static String rounded(String query) {
    return "query\n"
        + "SELECT CAST(promo_revenue AS DECIMAL(20, 4)) AS ratio FROM (\n"
        + query
        + "\n) AS t";
  }

  private <E extends TpchEntity> void write(TpchTable<E> table) throws IOException {
    Path lines = data.resolve(table.getTableName() + ".tbl");
    try (BufferedWriter out = Files.newBufferedWriter(lines)) {
      for (E row : table.createGenerator(SCALE, 1, 1)) {
        String line = row.toLine();
        out.write(line, 0, line.endsWith("|") ? line.length() - 1 : line.length());
        out.newLine();
      }
    }
    String columns =
        table.getColumns().stream().map(TpchTest::column).collect(Collectors.joining(", "));
    oracle.run(
        "COPY (SELECT * FROM read_csv('"
            + lines
            + "', delim = '|', header = false, quote = '', columns = {"
            + columns
            + "})) TO '"
            + parquet(table)
            + "'");
  }

  private static String column(TpchColumn<?> column) {
    String type =
        switch (column.getType().getBase()) {
          case INTEGER -> "INTEGER";
          case IDENTIFIER -> "BIGINT";
          case DATE -> "DATE";
          case DOUBLE -> "DECIMAL(15, 2)";
          case VARCHAR -> "VARCHAR";
        };
    return "'" + column.getColumnName() + "': '" + type + "'";
  }

  private Path parquet(TpchTable<?> table) {
    return data.resolve(table.getTableName() + ".parquet");
  }

  private String view(TpchTable<?> table) {
    return "CREATE VIEW " + table.getTableName() + " AS SELECT * FROM '" + parquet(table) + "'";
  }

  private void answers(QueryEngine engine) throws IOException {
    assertEquals(QUERIES, new SltRunner(engine, oracle, Map.of()).run(queries));
  }

  private SessionEngine engine(String name, Session session) {
    SessionEngine engine = new SessionEngine(name, session);
    TpchTable.getTables().forEach(table -> engine.run(view(table)));
    return engine;
  }

  @Test
  void inOneProcess() throws IOException {
    try (SessionEngine local = engine("local", Session.local())) {
      answers(local);
    }
  }

  /** Small sides are sent to all workers first, then everything is sent by key. */
  @Test
  void onTwoWorkers() throws IOException {
    try (SessionEngine workers = engine("two workers", Session.connect("workers://2"))) {
      answers(workers);
      workers.run("SET join.broadcast.bytes = 0");
      answers(workers);
    }
  }
}
