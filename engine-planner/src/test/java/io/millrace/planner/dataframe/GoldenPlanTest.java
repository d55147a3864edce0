package io.millrace.planner.dataframe;

import static io.millrace.core.expr.Columns.avg;
import static io.millrace.core.expr.Columns.col;
import static io.millrace.core.expr.Columns.count;
import static io.millrace.core.expr.Columns.countDistinct;
import static io.millrace.core.expr.Columns.sum;
import static io.millrace.planner.dataframe.JoinOn.on;

import io.millrace.core.plan.JoinType;
import io.millrace.core.type.DataType;
import io.millrace.core.udf.UserFunction;
import io.millrace.planner.fixture.GoldenPlan;
import io.millrace.planner.fixture.PlannerFixture;
import java.time.LocalDate;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Plans of whole queries, optimized and physical and cut into stages. */
class GoldenPlanTest {
  private final PlannerFixture fixture = new PlannerFixture();
  private final DataFrame samples = fixture.session.read().load("samples.fake");
  private final DataFrame labels = fixture.session.read().load("labels.fake");
  private final DataFrame orders = fixture.session.read().load("orders.fake");
  private final DataFrame lines = fixture.session.read().load("lines.fake");

  private static final UserFunction EMBED =
      UserFunction.batch(
              "embed",
              List.of(new DataType.Image(java.util.Optional.empty())),
              DataType.embedding(DataType.FLOAT32, 8),
              (input, output) -> {})
          .concurrency(2);

  @AfterEach
  void close() {
    fixture.close();
  }

  private static void assertPlan(String name, DataFrame frame) {
    GoldenPlan.assertMatches(name, frame.explain(ExplainPhase.ALL));
  }

  @Test
  void filterAndProjection() {
    assertPlan(
        "filter-and-projection",
        samples
            .where(col("weather").eq("rain").and(col("sample_id").gt(10)))
            .select(col("caption").upper().as("text")));
  }

  @Test
  void mainJob() {
    assertPlan(
        "main-job",
        samples
            .where(col("weather").eq("rain"))
            .join(labels, on("sample_id"))
            .withColumn("pixels", col("image").decodeImage().resize(224, 224))
            .withColumn("embedding", EMBED.apply(col("pixels")))
            .select("sample_id", "caption", "embedding"));
  }

  @Test
  void heavyColumnThatIsOnlyPassedOn() {
    assertPlan(
        "heavy-passed-on",
        samples.join(labels, on("sample_id")).where(col("score").gt(0.5)).select("image", "label"));
  }

  @Test
  void heavyColumnBehindTopN() {
    assertPlan(
        "heavy-behind-top-n",
        samples
            .withColumn("width", col("image").decodeImage().call("image_width"))
            .sort(col("sample_id").descending())
            .limit(3)
            .select("sample_id", "width"));
  }

  @Test
  void heavyColumnReadByAFilter() {
    assertPlan(
        "heavy-read-by-filter",
        samples
            .where(col("image").decodeImage().call("image_width").gt(100))
            .where(col("weather").eq("rain"))
            .select("caption", "image"));
  }

  @Test
  void heavyColumnOfAllRows() {
    assertPlan("heavy-of-all-rows", samples.select(col("image").decodeImage().as("picture")));
  }

  @Test
  void aggregation() {
    assertPlan(
        "aggregation",
        lines
            .where(col("quantity").gt(1))
            .groupBy("order_id")
            .agg(sum(col("price")).as("total"), avg(col("quantity")).as("mean"), count().as("n"))
            .where(col("order_id").gt(5).and(col("n").gt(2)))
            .sort(col("total").descending())
            .limit(10));
  }

  @Test
  void distinctAggregation() {
    assertPlan(
        "distinct-aggregation",
        lines.agg(countDistinct(col("order_id")).as("orders"), count().as("rows")));
  }

  @Test
  void joinOfUnequalSides() {
    assertPlan(
        "join-of-unequal-sides",
        orders
            .join(lines, on("order_id"))
            .where(col("day").ge(LocalDate.of(2026, 1, 1)).and(col("quantity").lt(5)))
            .select("customer", "price"));
  }

  @Test
  void outerJoin() {
    assertPlan(
        "outer-join",
        lines
            .join(orders, on("order_id"), JoinType.LEFT)
            .where(col("quantity").gt(1))
            .select("price", "customer"));
  }

  @Test
  void outerJoinWhoseNullsAreRefused() {
    assertPlan(
        "outer-join-narrowed",
        lines
            .join(orders, on("order_id"), JoinType.LEFT)
            .where(col("customer").eq("x"))
            .select("price"));
  }

  @Test
  void unionWithLimit() {
    assertPlan(
        "union-with-limit", samples.select("caption").union(labels.select("label")).limit(5));
  }

  @Test
  void sortedResult() {
    assertPlan("sorted-result", orders.sort("day", "order_id").select("order_id"));
  }

  @Test
  void limitBelowFunction() {
    UserFunction length =
        UserFunction.scalar("shout", DataType.STRING, DataType.STRING, (String text) -> text + "!");
    assertPlan(
        "limit-below-function",
        samples
            .withColumn("loud", length.apply(col("caption")))
            .where(col("weather").eq("rain"))
            .limit(4)
            .select("loud"));
  }
}
