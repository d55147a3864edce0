package io.millrace.planner.dataframe;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.planner.fixture.GoldenPlan;
import io.millrace.planner.fixture.PlannerFixture;
import io.millrace.planner.fixture.TpchTables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every TPC-H query plans, without a cross join, into the plan that stands in its file. */
class TpchPlanTest {
  private final PlannerFixture fixture = new PlannerFixture();

  @BeforeEach
  void createViews() {
    TpchTables.all()
        .forEach(
            (name, table) -> {
              fixture.connector.add(name + ".fake", table);
              fixture.session.execute(
                  "CREATE VIEW " + name + " AS SELECT * FROM '" + name + ".fake'", Map.of());
            });
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  @ParameterizedTest
  @ValueSource(
      ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22})
  void queryHasItsPlan(int number) throws IOException {
    String name = String.format("q%02d", number);
    String sql = Files.readString(Path.of("../benchmarks/tpch", name + ".sql"));
    DataFrame query = fixture.session.sql(sql);
    String plan = query.explain(ExplainPhase.PHYSICAL);
    assertTrue(plan.contains("Scan"), plan);
    boolean scalarSubquery = Set.of(11, 15, 16, 22).contains(number);
    assertFalse(!scalarSubquery && plan.contains("probe [] build []"), plan);
    GoldenPlan.assertMatches("tpch-" + name, plan);
  }
}
