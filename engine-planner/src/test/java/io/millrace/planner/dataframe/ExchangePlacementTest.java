package io.millrace.planner.dataframe;

import static io.millrace.core.expr.Columns.col;
import static io.millrace.core.expr.Columns.countDistinct;
import static io.millrace.planner.dataframe.JoinOn.on;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.core.config.Configuration;
import io.millrace.core.plan.JoinType;
import io.millrace.planner.fixture.PlannerFixture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which exchanges the physical planner inserts. */
class ExchangePlacementTest {
  private final PlannerFixture fixture = new PlannerFixture();
  private final DataFrame orders = fixture.session.read().load("orders.fake");
  private final DataFrame lines = fixture.session.read().load("lines.fake");

  @AfterEach
  void close() {
    fixture.close();
  }

  private static String physical(DataFrame frame) {
    return frame.explain(ExplainPhase.PHYSICAL);
  }

  private static int count(String text, String part) {
    return text.split(java.util.regex.Pattern.quote(part), -1).length - 1;
  }

  @Test
  void smallBuildSideIsBroadcast() {
    String plan = physical(lines.join(orders, on("order_id")));
    assertEquals(1, count(plan, "Exchange BROADCAST"), plan);
    assertEquals(0, count(plan, "Exchange HASH"), plan);
  }

  @Test
  void largeBuildSideMovesBothByKey() {
    try (PlannerFixture small =
        new PlannerFixture(Configuration.DEFAULTS.with("join.broadcast.bytes", "1"))) {
      String plan =
          physical(
              small
                  .session
                  .read()
                  .load("lines.fake")
                  .join(small.session.read().load("orders.fake"), on("order_id")));
      assertEquals(2, count(plan, "Exchange HASH [$0]"), plan);
    }
  }

  @Test
  void fullJoinIsNeverBroadcast() {
    String plan = physical(lines.join(orders, on("order_id"), JoinType.FULL));
    assertEquals(0, count(plan, "BROADCAST"), plan);
    assertEquals(2, count(plan, "Exchange HASH"), plan);
  }

  @Test
  void rowsThatAreTogetherAreNotMovedAgain() {
    try (PlannerFixture small =
        new PlannerFixture(Configuration.DEFAULTS.with("join.broadcast.bytes", "1"))) {
      String plan =
          physical(
              small
                  .session
                  .read()
                  .load("lines.fake")
                  .join(small.session.read().load("orders.fake"), on("order_id"))
                  .groupBy("order_id")
                  .agg(io.millrace.core.expr.Columns.count().as("n")));
      assertTrue(plan.contains("Aggregate SINGLE"), plan);
      assertEquals(2, count(plan, "Exchange"), plan);
    }
  }

  @Test
  void distinctAggregatesCountDistinctCombinations() {
    String plan = physical(lines.groupBy("note").agg(countDistinct(col("order_id")).as("n")));
    assertTrue(plan.contains("Aggregate SINGLE by [$0] [count($1)]"), plan);
    assertTrue(plan.contains("Aggregate FINAL by [$0, $1] []"), plan);
    assertTrue(plan.contains("Exchange HASH [$0]"), plan);
  }

  @Test
  void distinctAmongOthersSeesItsRowsTogether() {
    String plan =
        physical(
            lines
                .groupBy("note")
                .agg(
                    countDistinct(col("order_id")).as("n"),
                    io.millrace.core.expr.Columns.count().as("c")));
    assertTrue(plan.contains("Aggregate SINGLE by [$0] [count(distinct $1), count()]"), plan);
    assertFalse(plan.contains("PARTIAL"), plan);
  }

  @Test
  void constantRowsNeedNoExchange() {
    String plan =
        physical(
            fixture
                .session
                .values(java.util.List.of("a"), new Object[] {1})
                .groupBy("a")
                .agg(io.millrace.core.expr.Columns.count().as("n"))
                .sort("a")
                .limit(1));
    assertEquals(0, count(plan, "Exchange"), plan);
  }

  @Test
  void constantRowsBesideAScanAreSpread() {
    DataFrame constants =
        fixture.session.sql("SELECT 1 AS order_id").union(orders.select("order_id"));
    String plan = physical(constants);
    assertEquals(1, count(plan, "Exchange ROUND_ROBIN"), plan);
  }

  @Test
  void referencesOfOneTaskAreSpreadBeforeTheyAreFetched() {
    fixture.connector.add("one.fake", PlannerFixture.samples().withSplits(1));
    DataFrame rainy = fixture.session.read().load("one.fake").where(col("weather").eq("rain"));
    String plan = physical(rainy.select("image"));
    assertTrue(plan.indexOf("Fetch") < plan.indexOf("Exchange HASH [$0]"), plan);
    // these are in order, and few
    String sorted = physical(rainy.sort("caption").select("image"));
    assertEquals(0, count(sorted, "Exchange HASH"), sorted);
    String limited = physical(rainy.limit(3).select("image"));
    assertEquals(0, count(limited, "Exchange HASH"), limited);
    // as many tasks as there are slots have rows already
    String wide =
        physical(
            fixture
                .session
                .read()
                .load("samples.fake")
                .where(col("weather").eq("rain"))
                .select("image"));
    assertEquals(0, count(wide, "Exchange HASH"), wide);
  }

  @Test
  void countOfAllRowsReadsOneNarrowColumn() {
    String plan = physical(lines.agg(io.millrace.core.expr.Columns.count().as("n")));
    assertTrue(plan.contains("[quantity int32]"), plan);
  }
}
