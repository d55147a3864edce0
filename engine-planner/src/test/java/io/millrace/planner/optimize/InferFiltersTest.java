package io.millrace.planner.optimize;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.core.spi.TableStatistics.ColumnStatistics;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import io.millrace.planner.dataframe.ExplainPhase;
import io.millrace.planner.fixture.FakeTable;
import io.millrace.planner.fixture.PlannerFixture;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class InferFiltersTest {
  private final PlannerFixture fixture = new PlannerFixture();

  @BeforeEach
  void addTables() {
    FakeTable large =
        FakeTable.of(
                Schema.of(Field.nullable("k", DataType.INT64), Field.nullable("v", DataType.INT64)))
            .withRows(1_000_000)
            .withColumn("k", column(10_000));
    FakeTable small =
        FakeTable.of(
                Schema.of(
                    Field.nullable("id", DataType.INT64), Field.nullable("x", DataType.INT64)))
            .withRows(10_000)
            .withColumn("id", column(10_000))
            .withColumn("x", column(100));
    fixture.connector.add("large.fake", large);
    fixture.connector.add("small.fake", small);
    for (String name : new String[] {"large", "small"}) {
      fixture.session.execute(
          "create view " + name + " as select * from '" + name + ".fake'", Map.of());
    }
  }

  private static ColumnStatistics column(long distinct) {
    return new ColumnStatistics(
        OptionalLong.of(distinct), OptionalDouble.of(0), OptionalLong.empty(), null, null);
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private String plan(String sql) {
    return fixture.session.sql(sql).explain(ExplainPhase.OPTIMIZED);
  }

  private void assertHas(String part, String sql) {
    String plan = plan(sql);
    assertTrue(plan.contains(part), plan);
  }

  private void assertLacks(String part, String sql) {
    String plan = plan(sql);
    assertFalse(plan.contains(part), plan);
  }

  @Test
  void aConditionOnAKeyHoldsForTheOther() {
    assertHas(
        "Filter <($0, 7)\n      Scan 'small.fake'",
        "select v, x from large join small on k = id where k < 7");
  }

  @Test
  void aConditionOnAKeyHoldsForTheRightOfALeftJoin() {
    assertTrue(
        plan("select v, x from large left join small on k = id where k = 7")
                .split("=\\(\\$0, 7\\)", -1)
                .length
            == 3);
    // rows of the left side come out whatever the right side has
    assertTrue(
        plan("select v, x from large left join (select * from small where id < 7) s on k = id")
                .split("<\\(\\$0, 7\\)", -1)
                .length
            == 2);
  }

  @Test
  void alternativesAskSomethingOfEachTable() {
    assertHas(
        "OR(=($1, 1), =($1, 3))",
        "select v from large, small where k = id and (v = 1 and x = 2 or v = 3 and x = 4)");
    assertHas(
        "OR(=($1, 2), =($1, 4))",
        "select v from large, small where k = id and (v = 1 and x = 2 or v = 3 and x = 4)");
    assertLacks(
        "OR(=($1, 1)", "select v from large, small where k = id and (v = 1 and x = 2 or x = 4)");
  }

  @Test
  void onlyGroupsThatAreAskedForAreAggregated() {
    String grouped = "(select k, sum(v) as total from large group by k)";
    assertHas(
        "Join SEMI", "select total from " + grouped + " g join small on g.k = id where x = 5");
    assertLacks("Join SEMI", "select total from " + grouped + " g join small on g.k = id");
    assertLacks(
        "Join SEMI", "select total from " + grouped + " g join small on total = id where x = 5");
  }

  @Test
  void aSemiJoinThatDropsMuchComesFirst() {
    String both = "select v from large join small s on k = s.id where s.id in ";
    assertHas("Join INNER", both + "(select id from small where x = 5)");
    String plan = plan(both + "(select id from small where x = 5)");
    assertTrue(plan.indexOf("Join INNER") < plan.indexOf("Join SEMI"), plan);
    String keeping = plan(both + "(select id from small)");
    assertTrue(keeping.indexOf("Join SEMI") < keeping.indexOf("Join INNER"), keeping);
  }
}
