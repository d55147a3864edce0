package io.millrace.planner.dataframe;

import static io.millrace.core.expr.Columns.col;
import static io.millrace.core.expr.Columns.count;
import static io.millrace.planner.dataframe.JoinOn.on;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.core.config.Configuration;
import io.millrace.planner.fixture.PlannerFixture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Where heavy columns are fetched. */
class LazyColumnsTest {
  private final PlannerFixture fixture = new PlannerFixture();
  private final DataFrame samples = fixture.session.read().load("samples.fake");
  private final DataFrame labels = fixture.session.read().load("labels.fake");

  @AfterEach
  void close() {
    fixture.close();
  }

  private static String optimized(DataFrame frame) {
    return frame.explain(ExplainPhase.OPTIMIZED);
  }

  private static int fetches(String plan) {
    return plan.split("Fetch", -1).length - 1;
  }

  @Test
  void nothingIsFetchedForAQueryThatDoesNotReadIt() {
    String plan =
        optimized(samples.join(labels, on("sample_id")).groupBy("label").agg(count().as("n")));
    assertEquals(0, fetches(plan), plan);
    assertFalse(plan.contains("image"), plan);
  }

  @Test
  void aReferenceUsedTwiceIsFetchedOnce() {
    String plan =
        optimized(
            samples
                .where(col("sample_id").gt(5))
                .select(
                    col("image"),
                    col("image").decodeImage().call("image_width").as("width"),
                    col("image").decodeImage().call("image_height").as("height")));
    assertEquals(1, fetches(plan), plan);
  }

  @Test
  void fetchStandsAboveEverythingThatDropsRows() {
    String plan =
        optimized(
            samples
                .join(labels, on("sample_id"))
                .where(col("score").gt(0.5))
                .sort(col("score").descending())
                .limit(2)
                .select("image"));
    assertEquals(1, fetches(plan), plan);
    assertTrue(plan.indexOf("Fetch") < plan.indexOf("TopN"), plan);
    assertTrue(plan.indexOf("TopN") < plan.indexOf("Join"), plan);
  }

  @Test
  void picturesMadeBeforeAJoinAreFetchedAfterIt() {
    String plan =
        optimized(
            samples
                .withColumn("small", col("image").decodeImage().resize(8, 8))
                .join(labels.where(col("label").eq("cat")), on("sample_id"))
                .sort("caption")
                .select("small", "caption"));
    assertEquals(1, fetches(plan), plan);
    assertTrue(plan.indexOf("decode_resize_image") < plan.indexOf("Fetch"), plan);
    assertTrue(plan.indexOf("Fetch") < plan.indexOf("Sort"), plan);
    assertTrue(plan.indexOf("Sort") < plan.indexOf("Join"), plan);
  }

  @Test
  void cheapConditionsAreTestedBeforeTheFetch() {
    String plan =
        optimized(
            samples.where(
                col("image").decodeImage().call("image_width").gt(10).and(col("sample_id").gt(3))));
    int heavy = plan.indexOf("image_width");
    int fetch = plan.indexOf("Fetch");
    int cheap = plan.indexOf("Filter >($0, 3)");
    assertTrue(heavy < fetch && fetch < cheap, plan);
  }

  @Test
  void unionOfDifferentSourcesFetchesBelow() {
    String plan =
        optimized(
            samples
                .where(col("sample_id").gt(3))
                .select("image")
                .union(
                    fixture
                        .session
                        .read()
                        .option("version", 2)
                        .load("samples.fake")
                        .where(col("sample_id").gt(4))
                        .select("image")));
    assertEquals(2, fetches(plan), plan);
    assertTrue(plan.indexOf("Union") < plan.indexOf("Fetch"), plan);
  }

  @Test
  void unionOfOneSourceFetchesOnce() {
    String plan =
        optimized(
            samples
                .where(col("sample_id").gt(3))
                .select("image")
                .union(samples.where(col("sample_id").lt(1)).select("image")));
    assertEquals(1, fetches(plan), plan);
    assertTrue(plan.indexOf("Fetch") < plan.indexOf("Union"), plan);
  }

  @Test
  void wholeTablesAreReadWithoutReferences() {
    String plan = optimized(samples.select("sample_id", "image"));
    assertEquals(0, fetches(plan), plan);
  }

  @Test
  void settingTurnsReferencesOff() {
    try (PlannerFixture eager =
        new PlannerFixture(Configuration.DEFAULTS.with("lazy.enabled", "false"))) {
      String plan =
          optimized(eager.session.read().load("samples.fake").where(col("sample_id").gt(3)));
      assertEquals(0, fetches(plan), plan);
    }
  }

  @Test
  void optimizerOffStillPlans() {
    try (PlannerFixture plain =
        new PlannerFixture(Configuration.DEFAULTS.with("optimizer.enabled", "false"))) {
      String plan =
          plain
              .session
              .read()
              .load("samples.fake")
              .where(col("sample_id").gt(3))
              .select("caption")
              .limit(3)
              .explain(ExplainPhase.PHYSICAL);
      assertTrue(plan.contains("Scan fake"), plan);
    }
  }
}
