package io.millrace.planner.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.millrace.core.config.Configuration;
import io.millrace.planner.logical.FunctionBinding;
import io.millrace.planner.logical.IdlePlanner;
import io.millrace.planner.optimize.Optimizer;
import io.millrace.planner.type.MillraceTypeFactory;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** All queries of TPC-H bind, lose their subqueries and pass the optimizer. */
class TpchBindingTest {
  private static final String TEXT = text();

  private static String text() {
    try (InputStream stream = TpchBindingTest.class.getResourceAsStream("/sql/tpch.sql")) {
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException failure) {
      throw new java.io.UncheckedIOException(failure);
    }
  }

  private static IntStream numbers() {
    return IntStream.rangeClosed(1, 22);
  }

  @Test
  void thereAreTwentyTwo() {
    assertEquals(22, SqlScript.parse(TEXT).size());
  }

  @ParameterizedTest
  @MethodSource("numbers")
  void binds(int number) {
    RelOptCluster cluster = IdlePlanner.cluster(new MillraceTypeFactory());
    TestCatalog catalog = TpchTables.catalog();
    SqlStatement statement = SqlScript.parse(TEXT).bind(number - 1, catalog, cluster, Map.of());
    SqlStatement.Query query = statement.source().orElseThrow();
    FunctionBinding binding = new FunctionBinding(cluster.getRexBuilder(), catalog.functions());
    RelNode optimized =
        new Optimizer(binding, Configuration.DEFAULTS, Optional.empty()).optimize(query.rel());
    String plan = RelOptUtil.toString(optimized);
    for (String left : List.of("Correlate", "$cor", "EXISTS", " IN(", "$SCALAR_QUERY")) {
      assertFalse(plan.contains(left), plan);
    }
    assertEquals(
        query.schema().types(),
        MillraceTypeFactory.schema(optimized.getRowType()).types(),
        "optimizing changes no type");
  }
}
