package io.millrace.integration.slt;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.millrace.core.config.Configuration;
import io.millrace.integration.architecture.SourceTree;
import io.millrace.planner.dataframe.Session;
import io.millrace.testkit.query.QueryGenerator;
import io.millrace.testkit.query.RandomQuery;
import io.millrace.testkit.query.Shrinker;
import io.millrace.testkit.query.TestTable;
import io.millrace.testkit.query.TestTable.Column;
import io.millrace.testkit.query.ValueType;
import io.millrace.testkit.slt.DuckDbOracle;
import io.millrace.testkit.slt.QueryEngine;
import io.millrace.testkit.slt.RowText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random queries give DuckDB's rows. {@code -Dmillrace.random.queries=5000} runs more of them,
 * {@code -Dmillrace.random.seed=7} others.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RandomQueryTest {
  private static final int QUERIES = Integer.getInteger("millrace.random.queries", 300);
  private static final long SEED = Long.getLong("millrace.random.seed", 20_261_201L);
  private static final int SHRINK_TRIES = 400;

  /** Characters of a fault that tell its kind. */
  private static final int FAULT_LENGTH = 24;

  private static final int FAILURE_LIMIT = Integer.getInteger("millrace.random.failures", 5);

  private DuckDbOracle oracle;
  private final List<QueryEngine> engines = new ArrayList<>();
  private List<TestTable> tables;

  @BeforeAll
  void open(@TempDir Path data) throws IOException {
    oracle = new DuckDbOracle();
    Path statements =
        SourceTree.ofThisRepository()
            .root()
            .resolve("integration-tests/src/test/resources/slt/random.sql");
    for (String statement : Files.readString(statements).split(";\n")) {
      oracle.run(statement.replace("${data}", data.toString()));
    }
    tables =
        List.of(
            new TestTable(
                "'" + data + "/left.parquet'",
                List.of(
                    new Column("id", ValueType.INTEGER),
                    new Column("part", ValueType.INTEGER),
                    new Column("big", ValueType.BIGINT),
                    new Column("score", ValueType.DOUBLE),
                    new Column("price", ValueType.DECIMAL),
                    new Column("name", ValueType.VARCHAR),
                    new Column("flag", ValueType.BOOLEAN),
                    new Column("day", ValueType.DATE),
                    new Column("moment", ValueType.TIMESTAMP))),
            new TestTable(
                "'" + data + "/right.parquet'",
                List.of(
                    new Column("id", ValueType.INTEGER),
                    new Column("part", ValueType.INTEGER),
                    new Column("name", ValueType.VARCHAR),
                    new Column("day", ValueType.DATE),
                    new Column("weight", ValueType.DOUBLE))),
            new TestTable(
                "'" + data + "/empty.parquet'",
                List.of(
                    new Column("id", ValueType.INTEGER), new Column("name", ValueType.VARCHAR))));
    engines.add(new SessionEngine("local", Session.local()));
    engines.add(
        new SessionEngine(
            "optimizer off",
            Session.local(Configuration.DEFAULTS.with("optimizer.enabled", "false"))));
    engines.add(
        new SessionEngine(
            "batches of 3 rows", Session.local(Configuration.DEFAULTS.with("batch.rows", "3"))));
  }

  @AfterAll
  void close() {
    engines.forEach(QueryEngine::close);
    oracle.close();
  }

  @Test
  void randomQueriesGiveDuckDbsRows() {
    QueryGenerator generator = new QueryGenerator(tables, SEED);
    List<String> failures = new ArrayList<>();
    int compared = 0;
    for (int index = 0; index < QUERIES && failures.size() < FAILURE_LIMIT; index++) {
      RandomQuery query = generator.next();
      Optional<List<String>> expected = rows(oracle, query);
      if (expected.isEmpty()) {
        continue;
      }
      compared++;
      // Every query runs as a user would run it; every third on one of the others too.
      QueryEngine other = engines.get(1 + index % (engines.size() - 1));
      for (QueryEngine engine :
          index % 3 == 0 ? List.of(engines.get(0), other) : engines.subList(0, 1)) {
        fault(engine, query)
            .ifPresent(
                fault -> {
                  RandomQuery small =
                      new Shrinker(
                              candidate -> isSameFault(fault, fault(engine, candidate)),
                              SHRINK_TRIES)
                          .shrink(query);
                  failures.add(
                      engine.name()
                          + ": "
                          + small.sql()
                          + "\n  "
                          + fault(engine, small).orElse(fault));
                });
      }
    }
    if (!failures.isEmpty()) {
      fail("seed " + SEED + "\n" + String.join("\n\n", failures));
    }
    assertTrue(compared > QUERIES * 3 / 4, "DuckDB refuses too many of the queries: " + compared);
  }

  /** What differs from DuckDB; empty when nothing does or DuckDB refuses the query. */
  private Optional<String> fault(QueryEngine engine, RandomQuery query) {
    Optional<List<String>> expected = rows(oracle, query);
    if (expected.isEmpty()) {
      return Optional.empty();
    }
    List<String> actual;
    try {
      actual = RowText.of(engine.run(query.sql()), false);
    } catch (RuntimeException | AssertionError problem) {
      return Optional.of("fails: " + problem.getMessage());
    }
    return actual.equals(expected.get())
        ? Optional.empty()
        : Optional.of(
            "rows differ: expected "
                + shown(expected.get(), actual)
                + ", got "
                + shown(actual, expected.get()));
  }

  /** Whether a smaller query fails like the first one: with a message that begins alike. */
  private static boolean isSameFault(String first, Optional<String> other) {
    return other.isPresent()
        && other.get().startsWith(first.substring(0, Math.min(FAULT_LENGTH, first.length())));
  }

  private static String shown(List<String> rows, List<String> others) {
    List<String> only = new ArrayList<>(rows);
    others.forEach(only::remove);
    return rows.size() + " rows, among them " + only.stream().limit(3).toList();
  }

  private static Optional<List<String>> rows(QueryEngine engine, RandomQuery query) {
    try {
      return Optional.of(RowText.of(engine.run(query.sql()), false));
    } catch (RuntimeException refused) {
      return Optional.empty();
    }
  }
}
