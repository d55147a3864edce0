package io.millrace.planner.sql;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.core.function.FunctionDefinition;
import io.millrace.planner.logical.IdlePlanner;
import io.millrace.planner.type.MillraceTypeFactory;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Every documented example of a scalar function is SQL that binds. */
class FunctionExampleTest {

  @TestFactory
  Stream<DynamicTest> examples() {
    TestCatalog catalog = new TestCatalog();
    return catalog.functions().definitions().stream()
        .flatMap(definition -> examples(catalog, definition));
  }

  private static Stream<DynamicTest> examples(TestCatalog catalog, FunctionDefinition definition) {
    return definition.examples().stream()
        .map(
            example ->
                DynamicTest.dynamicTest(
                    definition.name() + ": " + example.sql(),
                    () -> {
                      SqlStatement statement =
                          SqlScript.bindOnly(
                              "SELECT " + example.sql(),
                              catalog,
                              IdlePlanner.cluster(new MillraceTypeFactory()),
                              Map.of());
                      assertTrue(statement.source().isPresent());
                    }));
  }
}
