package io.millrace.lance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.core.batch.Batch;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.spi.BatchWriter;
import io.millrace.core.spi.SinkSpecification;
import io.millrace.core.spi.Table;
import io.millrace.core.spi.TableSink;
import io.millrace.core.spi.WriteMode;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tables written here as Lance's Python package sees them. Runs where the environment variable
 * MILLRACE_TEST_PYTHON names a Python with pylance.
 */
class LancePythonTest {
  private static final String VARIABLE = "MILLRACE_TEST_PYTHON";

  private final LanceHarness lance = new LanceHarness();
  private String python;

  @BeforeEach
  void findPython() {
    python = System.getenv(VARIABLE);
    Assumptions.assumeTrue(
        python != null && Files.isExecutable(Path.of(python)),
        "Set " + VARIABLE + " to a Python with pylance 14 to check tables written here with it");
  }

  @AfterEach
  void closeFindsLeaks() {
    lance.close();
  }

  private void run(String script, String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(python, "src/test/python/" + script));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output =
        new String(
            process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), output);
  }

  @Test
  void everyTypeWrittenHereReadsThereValueByValue() throws Exception {
    Path fixture = LanceHarness.fixture("types-2.1");
    List<Batch> rows;
    Schema schema;
    try (Table table = lance.open(fixture.toString())) {
      schema = table.schema();
      rows =
          lance.batches(
              table, LanceHarness.scanOf(table, schema.names(), List.of(), OptionalLong.empty()));
    }
    SinkSpecification create = lance.sink(lance.at("out"), WriteMode.CREATE, schema);
    try (TableSink driver = lance.connector.openSink(create, lance.context)) {
      driver.begin();
      List<byte[]> fragments = new ArrayList<>();
      for (Batch batch : rows) {
        try (BatchWriter writer = driver.openWriter("task-" + fragments.size())) {
          writer.write(batch);
          fragments.add(writer.finish());
        }
      }
      driver.commit(fragments);
    }
    String expected = fixture.resolveSibling("types-2.1.expected.json").toString();
    run("check_written.py", lance.at("out"), expected, "--expected-version", "3");
  }

  @Test
  void rowsOfBothWritersStandInOneTable() throws Exception {
    Schema schema =
        Schema.of(Field.nullable("id", DataType.INT64), Field.nullable("name", DataType.STRING));
    String uri = lance.at("shared");
    lance.write(lance.sink(uri, WriteMode.CREATE, schema), List.of(List.of(1L, "from here")));
    run("append_and_index.py", "append", uri);
    lance.write(lance.sink(uri, WriteMode.APPEND, schema), List.of(List.of(2L, "again")));
    assertEquals(
        List.of(
            List.of(1L, "from here"),
            List.of(1000L, "from python"),
            Arrays.asList(1001L, null),
            List.of(2L, "again")),
        lance.rows(uri, "id", "name"));
  }

  @Test
  void anIndexOfANewerKindStopsAnAppendThatWouldRemoveIt() throws Exception {
    String uri = lance.at("indexed");
    run("append_and_index.py", "index", uri);
    assertEquals(100, lance.rows(uri, "id").size());
    Schema schema =
        Schema.of(Field.nullable("id", DataType.INT64), Field.nullable("name", DataType.STRING));
    SinkSpecification append = lance.sink(uri, WriteMode.APPEND, schema);
    try (TableSink sink = lance.connector.openSink(append, lance.context)) {
      assertEquals(ErrorCode.UNSUPPORTED_FORMAT, LanceHarness.codeOf(sink::begin));
    }
    lance.write(
        lance.sink(uri, WriteMode.APPEND, schema, "drop_unknown_indexes", "true"),
        List.of(List.of(100L, "x")));
    assertEquals(101, lance.rows(uri, "id").size());
  }
}
