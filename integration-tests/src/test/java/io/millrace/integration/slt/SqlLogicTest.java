package io.millrace.integration.slt;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.core.config.Configuration;
import io.millrace.integration.architecture.SourceTree;
import io.millrace.planner.dataframe.Session;
import io.millrace.testkit.slt.DuckDbOracle;
import io.millrace.testkit.slt.QueryEngine;
import io.millrace.testkit.slt.SltRunner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Every file under {@code slt/} on every runner, with DuckDB's answers as the right ones. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SqlLogicTest {
  private Path data;
  private final List<QueryEngine> engines = new ArrayList<>();
  private DuckDbOracle oracle;

  @BeforeAll
  void open(@TempDir Path folder) throws IOException {
    data = folder;
    oracle = new DuckDbOracle();
    for (String statement : Files.readString(folder().resolve("data.sql")).split(";\n")) {
      oracle.run(statement.replace("${data}", data.toString()));
    }
    Configuration oneRow = Configuration.DEFAULTS.with("batch.rows", "1");
    Configuration oneThread = Configuration.DEFAULTS.with("threads", "1");
    Configuration plain = Configuration.DEFAULTS.with("optimizer.enabled", "false");
    engines.add(new SessionEngine("local", Session.local()));
    engines.add(new SessionEngine("local, batches of one row", Session.local(oneRow)));
    engines.add(new SessionEngine("local, one thread", Session.local(oneThread)));
    engines.add(new SessionEngine("local, optimizer off", Session.local(plain)));
    engines.add(new SessionEngine("two workers", Session.connect("workers://2")));
  }

  @AfterAll
  void close() {
    engines.forEach(QueryEngine::close);
    oracle.close();
  }

  private static Path folder() throws IOException {
    return SourceTree.ofThisRepository().root().resolve("integration-tests/src/test/resources/slt");
  }

  @TestFactory
  Stream<DynamicTest> files() throws IOException {
    List<Path> files;
    try (Stream<Path> found = Files.walk(folder())) {
      files = found.filter(file -> file.toString().endsWith(".slt")).sorted().toList();
    }
    assertTrue(files.size() >= 6, "SLT files are missing: " + files);
    String only = System.getProperty("millrace.slt.files", "");
    return engines.stream()
        .flatMap(
            engine ->
                files.stream()
                    .filter(file -> file.getFileName().toString().contains(only))
                    .map(
                        file ->
                            DynamicTest.dynamicTest(
                                file.getFileName() + " on " + engine.name(),
                                () -> {
                                  SltRunner runner =
                                      new SltRunner(
                                          engine, oracle, Map.of("data", data.toString()));
                                  assertTrue(runner.run(file) > 0);
                                })));
  }
}
