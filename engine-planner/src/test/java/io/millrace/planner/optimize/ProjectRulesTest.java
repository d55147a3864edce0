package io.millrace.planner.optimize;

import static io.millrace.core.expr.Columns.col;
import static io.millrace.core.expr.Columns.lit;
import static io.millrace.planner.dataframe.JoinOn.on;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.core.plan.JoinType;
import io.millrace.planner.dataframe.DataFrame;
import io.millrace.planner.explain.LogicalText;
import io.millrace.planner.fixture.PlannerFixture;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ProjectRulesTest {
  private final PlannerFixture fixture = new PlannerFixture();
  private final DataFrame samples = fixture.session.read().load("samples.fake");
  private final DataFrame labels = fixture.session.read().load("labels.fake");
  private final DataFrame ids = fixture.session.values(List.of("a", "b"), new Object[] {1, 2});

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void mergeProjects() {
    RuleTester tester = new RuleTester(new MergeProjects());
    tester.assertFires(
        ids.select(col("a").times(2).as("c"), col("b")).select(col("c").plus(1).as("d")),
        """
        Project [d = add(multiply($0, 2), 1)]
          Rows 1 (a int32, b int32)
        """);
    // the product would be computed twice
    tester.assertDoesNotFire(
        ids.select(col("a").times(2).as("c")).select(col("c").plus(col("c")).as("d")));
  }

  @Test
  void removeIdentityProject() {
    RuleTester tester = new RuleTester(new RemoveIdentityProject());
    tester.assertFires(ids.select("a", "b"), "Rows 1 (a int32, b int32)\n");
    tester.assertDoesNotFire(ids.select("b", "a"));
    tester.assertDoesNotFire(ids.select("a"));
  }

  @Test
  void fuseDecodeResize() {
    RuleTester tester = new RuleTester(new FuseDecodeResize());
    tester.assertFires(
        samples.select(col("image").decodeImage("null").resize(8, 4).as("small")),
        """
        Project [small = decode_resize_image($3, 8, 4, 'auto':string, 'null':string, 'RGB':string)]
          Scan 'samples.fake' [sample_id int64, caption string, weather string, image binary]
        """);
    tester.assertDoesNotFire(samples.select(col("image").decodeImage().as("picture")));
    // the full picture is asked for too, so it stays a column of its own
    tester.assertDoesNotFire(
        samples
            .select(col("image").decodeImage().as("picture"))
            .select(col("picture"), col("picture").resize(8, 4).as("small")));
  }

  @Test
  void pullCostlyAboveJoin() {
    RuleTester tester = new RuleTester(new PullCostlyAboveJoin());
    DataFrame pictures =
        samples.select(col("image").decodeImage().as("picture"), col("sample_id"), col("weather"));
    tester.assertFires(
        pictures.join(labels, on(col("weather").eq(col("label")))),
        """
        Project [picture = decode_image($2, 'raise':string, 'RGB':string), sample_id = $0,\
         weather = $1, sample_id0 = $3, label = $4, score = $5]
          Join INNER =($1, $4)
            Project [sample_id = $0, weather = $2, image = $3]
              Scan 'samples.fake' [sample_id int64, caption string, weather string, image binary]
            Scan 'labels.fake' [sample_id int64, label string, score float64]
        """);
    // the condition reads what is computed
    tester.assertDoesNotFire(
        pictures.join(labels, on(col("picture").call("image_width").eq(col("score")))));
    // nulls of rows without a partner are not pictures of nulls
    tester.assertDoesNotFire(
        labels.join(pictures, on(col("weather").eq(col("label"))), JoinType.LEFT));
  }

  private static String normalized(DataFrame frame) {
    return LogicalText.of(RuleTester.normalized(frame));
  }

  @Test
  void conditionsAreSimplifiedWithNullsInMind() {
    String rows = "  Rows 1 (a int32, b int32)\n";
    assertEquals("Filter >($0, 1)\n" + rows, normalized(ids.where(col("a").gt(1).and(lit(true)))));
    assertEquals("Filter <=($0, 1)\n" + rows, normalized(ids.where(col("a").gt(1).not())));
    assertEquals("Filter IS NOT NULL($0)\n" + rows, normalized(ids.where(col("a").eq(col("a")))));
    assertEquals(
        "Filter AND(>($0, 1), OR(>($1, 2), <($1, 0)))\n" + rows,
        normalized(
            ids.where(col("a").gt(1).and(col("b").gt(2)).or(col("a").gt(1).and(col("b").lt(0))))));
    assertEquals(
        "Rows 0 (a int32, b int32)\n", normalized(ids.where(lit(false).and(col("a").gt(1)))));
  }
}
