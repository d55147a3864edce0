package io.millrace.cluster.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Commands as users give them, in this process. */
@Timeout(120)
final class MainTest {
  @TempDir Path folder;

  /** What a command did. */
  private record Outcome(int exitCode, String out, String err) {}

  private static Outcome run(String... arguments) {
    return runWithInput("", arguments);
  }

  private static Outcome runWithInput(String input, String... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int exitCode =
        Main.run(
            List.of(arguments),
            new Terminal(
                out,
                new PrintStream(err, true, StandardCharsets.UTF_8),
                new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8))),
            new CompletableFuture<>());
    return new Outcome(
        exitCode, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  @Test
  void printsRowsToStandardOutputOnly() {
    assertEquals(
        new Outcome(0, "a,b\n1,x\n", ""), run("sql", "SELECT 1 AS a, 'x' AS b", "--format", "csv"));
  }

  @Test
  void optionsMayStandBeforeTheQuery() {
    assertEquals(new Outcome(0, "{\"a\":1}\n", ""), run("sql", "--format=json", "SELECT 1 AS a"));
  }

  @Test
  void statementsShareASession() {
    Outcome outcome =
        run(
            "sql",
            "CREATE VIEW v AS SELECT 2 AS n; SELECT n + 1 AS m FROM v; SELECT n FROM v;",
            "--format",
            "csv");
    assertEquals(new Outcome(0, "m\n3\n\nn\n2\n", "CREATE VIEW\n"), outcome);
  }

  @Test
  void readsStatementsFromAFileAndFromAPipe() throws IOException {
    Path file = folder.resolve("q.sql");
    Files.writeString(file, "SELECT 'file' AS s");
    assertEquals("s\nfile\n", run("sql", "-f", file.toString(), "--format", "csv").out());
    assertEquals(
        "s\npipe\n", runWithInput("SELECT 'pipe' AS s", "sql", "-f", "-", "--format", "csv").out());
  }

  @Test
  void parametersAreJsonAndNeverText() throws IOException {
    Path file = folder.resolve("p.json");
    Files.writeString(file, "\"it's; DROP\"");
    Outcome outcome =
        run(
            "sql",
            "SELECT :n + 1 AS n, :s AS s",
            "--param",
            "n=41",
            "--param",
            "s=@" + file,
            "--format",
            "csv");
    assertEquals(new Outcome(0, "n,s\n42,it's; DROP\n", ""), outcome);
  }

  @Test
  void writesRowsToAFileThatAppearsWhole() throws IOException {
    Path file = folder.resolve("rows.csv");
    assertEquals(
        new Outcome(0, "", ""),
        run("sql", "SELECT 1 AS a", "--format", "csv", "--output", file.toString()));
    assertEquals("a\n1\n", Files.readString(file));
    assertEquals(
        1, run("sql", "SELECT 1 AS a; SELECT nope", "--output", file.toString()).exitCode());
    assertEquals("a\n1\n", Files.readString(file), "the old rows stay");
    assertFalse(Files.exists(folder.resolve("rows.csv.part")));
  }

  @Test
  void repeatsAndMeasures() throws IOException {
    Path timings = folder.resolve("timings.json");
    Path profile = folder.resolve("profile.json");
    Outcome outcome =
        run(
            "sql",
            "SELECT 1 AS a; SELECT a FROM (SELECT 2 AS a) t WHERE a < 0",
            "--format",
            "csv",
            "--repeat",
            "3",
            "--timings",
            timings.toString(),
            "--profile",
            profile.toString());
    assertEquals(new Outcome(0, "a\n1\n\na\n", ""), outcome);
    List<String> lines = Files.readAllLines(timings);
    assertEquals(6, lines.size());
    ObjectMapper json = new ObjectMapper();
    JsonNode last = json.readTree(lines.getLast());
    assertEquals(2, last.get("statement").asInt());
    assertEquals(3, last.get("run").asInt());
    assertEquals(0, last.get("rows").asLong());
    assertTrue(last.get("plan_ms").isNumber() && last.get("exec_ms").isNumber());
    JsonNode first = json.readTree(Files.readAllLines(profile).getFirst());
    assertTrue(first.get("operators").isArray());
    assertTrue(first.get("totals").has("fetched_bytes"));
    assertTrue(first.get("totals").has("shuffle_bytes"));
  }

  @Test
  void countsOfWritesGoToTheErrorStream() {
    Path file = folder.resolve("copy.lance");
    Outcome outcome = run("sql", "COPY (SELECT 1 AS a) TO '" + file + "'");
    assertEquals("", outcome.out());
    assertEquals("COPY: 1 rows\n", outcome.err());
    assertEquals(0, outcome.exitCode());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          SELECT nope                         | 1 | error[UNKNOWN_COLUMN-103]:
          SELECT * FROM nope                  | 1 | error[UNKNOWN_TABLE-102]:
          SELECT nope(1)                      | 1 | error[UNKNOWN_FUNCTION-104]:
          SELEC 1                             | 1 | error[SYNTAX_ERROR-101]:
          SELECT * FROM 'no/such/*.parquet'   | 1 | error[FILE_NOT_FOUND-201]:
          SELECT 1 / 0                        | 1 | error[DIVISION_BY_ZERO-302]:
          SET no.such = 1                     | 1 | error[UNKNOWN_SETTING-106]:
          """)
  void errorsSayWhatIsWrongAndExitByCategory(String query, int exitCode, String start) {
    Outcome outcome = run("sql", query);
    assertEquals(exitCode, outcome.exitCode(), outcome.err());
    assertEquals("", outcome.out());
    assertTrue(outcome.err().startsWith(start), outcome.err());
    assertFalse(outcome.err().contains("\tat "), "no stack trace: " + outcome.err());
    assertTrue(run("sql", query, "--debug").err().contains("\tat "), "a stack trace on demand");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          sql                                 | Which query
          sql 'SELECT 1' --formt csv          | '--format'
          sql 'SELECT 1' --format xml         | table, csv, json, arrow
          sql 'SELECT 1' 'SELECT 2'           | One query
          sql 'SELECT 1' --repeat 0           | --repeat
          sql 'SELECT 1' --workers x          | --workers
          sql 'SELECT 1' --threads many       | threads
          sql 'SELECT 1' --set no.such=1      | no.such
          sql 'SELECT 1' --set threads        | name=value
          sql 'SELECT 1' --workers 2 --coordinator h:1 | exclude
          sql 'SELECT 1' --coordinator h      | HOST:PORT
          sql 'SELECT 1' --progress on        | auto or off
          worker                              | --coordinator
          worker --coordinator h:1 --cpus -1  | --cpus
          coordinator --port 70000            | --port
          coordinator --host 0.0.0.0          | token
          submit                              | --coordinator
          run                                 | jar
          sq 'SELECT 1'                       | 'sql'
          """)
  void usageErrorsExitWithTwo(String line, String mentioned) {
    String[] arguments =
        Pattern.compile("'([^']*)'|(\\S+)")
            .matcher(line)
            .results()
            .map(match -> match.group(1) != null ? match.group(1) : match.group(2))
            .toArray(String[]::new);
    Outcome outcome = run(arguments);
    assertEquals(2, outcome.exitCode(), outcome.err());
    assertTrue(outcome.err().startsWith("error[USAGE_ERROR-117]: "), outcome.err());
    assertEquals("", outcome.out());
    assertTrue(outcome.err().contains(mentioned), outcome.err());
  }

  @Test
  void aCoordinatorThatIsNotThereIsExternal() {
    Outcome outcome = run("sql", "SELECT 1", "--coordinator", "127.0.0.1:1");
    assertEquals(4, outcome.exitCode());
    assertTrue(outcome.err().startsWith("error[COORDINATOR_UNREACHABLE-604]: "), outcome.err());
  }

  @Test
  void aReaderThatLeavesEndsTheCommandQuietly() {
    OutputStream closed =
        new OutputStream() {
          @Override
          public void write(int value) {
            throw new ClosedPipeException(new IOException("Broken pipe"));
          }
        };
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int exitCode =
        Main.run(
            List.of("sql", "SELECT 1", "--format", "csv"),
            new Terminal(closed, new PrintStream(err), new ByteArrayInputStream(new byte[0])),
            new CompletableFuture<>());
    assertEquals(0, exitCode);
    assertEquals(0, err.size());
  }

  @Test
  void explainShowsEveryPhaseAndRunsNothing() {
    Outcome outcome = run("explain", "SELECT 1 AS a UNION ALL SELECT 2");
    assertEquals(0, outcome.exitCode(), outcome.err());
    assertTrue(outcome.out().contains("Physical"), outcome.out());
    Path file = folder.resolve("never.csv");
    run("explain", "COPY (SELECT 1 AS a) TO '" + file + "'");
    assertFalse(Files.exists(file));
  }

  @Test
  void explainAnalyzeShowsWhatOperatorsDid() {
    Outcome outcome = run("explain", "--analyze", "SELECT 1 AS a UNION ALL SELECT 2");
    assertEquals(0, outcome.exitCode(), outcome.err());
    assertTrue(outcome.out().contains("rows"), outcome.out());
  }

  @Test
  void helpAndVersionSucceed() {
    assertTrue(run("--help").out().contains("coordinator"));
    assertTrue(run("--version").out().startsWith("millrace "));
    assertTrue(run("sql", "--help").out().contains("--profile"));
  }
}
