package io.millrace.exec.format.json;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.core.batch.Batch;
import io.millrace.core.config.Configuration;
import io.millrace.core.config.Settings;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.spi.ConnectorContext;
import io.millrace.core.spi.Table;
import io.millrace.exec.format.TableScan;
import io.millrace.exec.store.SchemeStores;
import io.millrace.testkit.BatchRows;
import io.millrace.testkit.FixtureRows;
import io.millrace.testkit.RootAllocatorFixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonSourceTest {
  private static final Path FIXTURES = Path.of("src/test/resources/fixtures");

  @RegisterExtension final RootAllocatorFixture root = new RootAllocatorFixture();

  @TempDir Path folder;

  private TableScan scan(JsonConnector connector, int batchRows) {
    return new TableScan(
        connector,
        new ConnectorContext(
            root.allocator(),
            ForkJoinPool.commonPool(),
            new SchemeStores(),
            Configuration.DEFAULTS.with(Settings.BATCH_ROWS, batchRows)));
  }

  private TableScan scan() {
    return scan(new JsonConnector(), 1024);
  }

  private Path file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  private static List<List<Object>> rows(List<Batch> batches) {
    List<List<Object>> rows = new ArrayList<>();
    for (Batch batch : batches) {
      rows.addAll(BatchRows.of(batch));
      batch.close();
    }
    return rows;
  }

  @ParameterizedTest
  @CsvSource({
    "sparse.jsonl, 1", "sparse.jsonl, 4", "sparse.jsonl, 1024",
    "duckdb.jsonl, 1", "duckdb.jsonl, 7", "duckdb.jsonl, 1024"
  })
  void givesTheRowsOfFixtures(String name, int batchRows) throws Exception {
    Path file = FIXTURES.resolve(name);
    List<Batch> batches = scan(new JsonConnector(), batchRows).read(file);
    try {
      assertEquals(List.of(), FixtureRows.ofFile(file).differences(batches));
    } finally {
      batches.forEach(Batch::close);
    }
  }

  @Test
  void infersTypes() throws Exception {
    Path file =
        file(
            "types.jsonl",
            """
            {"i": 9223372036854775807, "big": 9223372036854775808, "n": 1, "b": true, "d": "2024-02-29", "z": "2024-02-29T12:00:00Z", "code": "007", "mixed": 2, "list": [1, 2.5, null], "s": {"a": 1}, "e": [], "deep": [{"x": [1]}, {"y": "t"}]}

            {"i": -1, "big": 1, "n": 1.5, "b": null, "mixed": "word", "list": null, "s": {"b": ["x"]}, "nothing": null}
            {"mixed": {"k": [1.50, "v"]}}
            """);
    try (Table table = scan().open(file)) {
      assertEquals(
          "(i int64, big decimal(38, 0), n float64, b boolean, d date, z timestamp(6, 'UTC'), code"
              + " string, mixed string, list list<float64>, s struct<a int64, b list<string>>, e"
              + " list<string>, deep list<struct<x list<int64>, y string>>, nothing string)",
          table.schema().toString());
    }
    assertEquals(
        "[[9223372036854775807, 9223372036854775808, 1.0, true, 2024-02-29, 2024-02-29T12:00:00Z,"
            + " 007, 2, [1.0, 2.5, null], {a=1, b=null}, [], [{x=[1], y=null}, {x=null, y=t}],"
            + " null], [-1, 1, 1.5, null, null, null, null, word, null, {a=null, b=[x]}, null,"
            + " null, null], [null, null, null, null, null, null, null, {\"k\":[1.50,\"v\"]},"
            + " null, null, null, null, null]]",
        rows(scan().read(file)).toString());
  }

  @Test
  void takesTypes() throws Exception {
    Path file = file("t.jsonl", "{\"a\": 1.10, \"v\": [1, 2], \"m\": {\"k\": 5}, \"more\": 1}\n");
    assertEquals(
        "[[1.10, [1.0, 2.0], {k=5}]]",
        rows(scan()
                .options(
                    Map.of(
                        "schema",
                        "a decimal(10, 2), v embedding<float32, 2>, m map<string, int32>"))
                .read(file))
            .toString());
    MillraceException problem =
        assertThrows(
            MillraceException.class, () -> scan().options(Map.of("types", "a int64")).read(file));
    assertEquals(ErrorCode.MALFORMED_VALUE, problem.code());
    assertTrue(problem.getMessage().contains("Column 'a'"), problem.getMessage());
  }

  @Test
  void aBadLineNamesFileAndLine() {
    MillraceException problem =
        assertThrows(
            MillraceException.class, () -> scan().read(FIXTURES.resolve("bad-line.jsonl")));
    assertEquals(ErrorCode.INVALID_FILE, problem.code());
    assertTrue(problem.getMessage().contains("Line 2 of"), problem.getMessage());
    assertTrue(problem.getMessage().contains("bad-line.jsonl"), problem.getMessage());
  }

  @Test
  void rowsBeforeABadLineAreGiven() throws Exception {
    Path file = file("late.jsonl", "{\"a\": 1, \"s\": {\"x\": 1}}\n{\"s\": {\"x\": tru\n");
    assertEquals("[[1, {x=1}]]", rows(scan().limit(1).read(file)).toString());
    assertThrows(MillraceException.class, () -> scan().read(file));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"a\": 1} {\"a\": 2}",
        "7",
        "{\"a\": 1, \"a\": 2}",
        "{\"b\": 1}",
        "{\"a\": \"x\"}"
      })
  void refusesLines(String line) throws Exception {
    Path file = file("bad.jsonl", "{\"a\": 1}\n" + line + "\n");
    MillraceException problem =
        assertThrows(
            MillraceException.class, () -> scan().options(Map.of("sample_rows", "1")).read(file));
    assertTrue(problem.getMessage().contains("Line 2 of"), problem.getMessage());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[{\"a\": 1, \"b\": \"]},{\"}, {\"a\": 2}]",
        " [\n{\"a\":1,\n\"b\":\"]},{\"}\n,\n{\"a\":2}\n]\n",
        "{\n\"a\":1, \"b\":\"]},{\"\n}\n{\"a\":2}",
        "{\"a\":1, \"b\":\"]},{\"}\n{\"a\":2}"
      })
  void arraysAndObjectsOverSeveralLines(String text) throws Exception {
    Path file = file("array.json", text);
    assertEquals(List.of(List.of(1L, "]},{"), Arrays.asList(2L, null)), rows(scan().read(file)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[{\"a\": 1}",
        "[{\"a\": 1},",
        "[{\"a\": 1},]",
        "[{\"a\": 1}] 5",
        "[{\"a\": 1} 5]"
      })
  void anArrayThatIsNoneIsAnError(String text) throws Exception {
    Path file = file("array.json", text);
    MillraceException problem = assertThrows(MillraceException.class, () -> scan().read(file));
    assertEquals(ErrorCode.INVALID_FILE, problem.code());
    assertTrue(problem.getMessage().contains("array.json"), problem.getMessage());
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 100, 777})
  void partsGiveEachRowOnce(int leastSplitBytes) throws Exception {
    StringBuilder text = new StringBuilder("\uFEFF");
    List<List<Object>> expected = new ArrayList<>();
    for (long row = 0; row < 300; row++) {
      String name = "é".repeat((int) (row % 13));
      text.append("{\"id\": ").append(row).append(", \"name\": \"").append(name).append("\"}");
      text.append(row == 299 ? "" : row % 3 == 0 ? "\r\n" : "\n");
      expected.add(List.of(row, name));
    }
    Path file = file("parts.jsonl", text.toString());
    for (int parallelism : new int[] {1, 3, 40}) {
      assertEquals(
          expected,
          rows(scan(new JsonConnector(leastSplitBytes), 7).parallelism(parallelism).read(file)));
    }
  }
}
