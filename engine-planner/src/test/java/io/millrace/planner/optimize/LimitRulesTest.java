package io.millrace.planner.optimize;

import static io.millrace.core.expr.Columns.col;
import static io.millrace.core.expr.Columns.count;

import io.millrace.core.type.DataType;
import io.millrace.core.udf.UserFunction;
import io.millrace.planner.dataframe.DataFrame;
import io.millrace.planner.fixture.PlannerFixture;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LimitRulesTest {
  private final PlannerFixture fixture = new PlannerFixture();
  private final DataFrame labels = fixture.session.read().load("labels.fake");
  private final DataFrame ids = fixture.session.values(List.of("a", "b"), new Object[] {1, 2});

  private static final UserFunction TWICE =
      UserFunction.scalar("twice", DataType.INT32, DataType.INT32, (Integer value) -> 2 * value);

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void mergeSorts() {
    RuleTester tester = new RuleTester(new MergeSorts());
    tester.assertFires(
        ids.sort("a").limit(3),
        """
        TopN [$0 nulls last] limit 3:int64
          Rows 1 (a int32, b int32)
        """);
    tester.assertFires(
        ids.offset(2).limit(5).offset(1),
        """
        Limit limit 4:int64 offset 3:int64
          Rows 1 (a int32, b int32)
        """);
    tester.assertFires(
        ids.sort("a").sort("b"),
        """
        Sort [$1 nulls last]
          Rows 1 (a int32, b int32)
        """);
    // the first three by a, then in order of b: only the limit may join its sort
    tester.assertFires(
        ids.sort("a").limit(3).sort("b"),
        """
        Sort [$1 nulls last]
          TopN [$0 nulls last] limit 3:int64
            Rows 1 (a int32, b int32)
        """);
    tester.assertDoesNotFire(ids.limit(3).where(col("a").gt(0)).sort("b"));
  }

  @Test
  void pushLimitThroughProject() {
    RuleTester tester = new RuleTester(new PushLimitThroughProject());
    tester.assertFires(
        ids.select(col("b"), col("a").plus(1).as("c")).limit(3),
        """
        Project [b = $1, c = add($0, 1)]
          Limit limit 3:int64
            Rows 1 (a int32, b int32)
        """);
    tester.assertDoesNotFire(ids.select(col("a").plus(1).as("c")).sort("c"));
  }

  @Test
  void pushLimitThroughUdf() {
    RuleTester tester = new RuleTester(new PushLimitThroughUdf());
    DataFrame called = ids.where(TWICE.apply(col("a")).gt(1));
    tester.assertDoesNotFire(called.limit(3));
    new RuleTester(new PushLimitThroughProject())
        .assertFires(
            ids.withColumn("t", TWICE.apply(col("a"))).limit(3),
            """
            Project [a = $0, b = $1, t = $2]
              Limit limit 3:int64
                Udf twice = twice($0)
                  Rows 1 (a int32, b int32)
            """);
  }

  @Test
  void pushLimitThroughUnion() {
    RuleTester tester = new RuleTester(new PushLimitThroughUnion());
    tester.assertFires(
        ids.union(ids).limit(3),
        """
        Limit limit 3:int64
          Union all
            Limit limit 3:int64
              Rows 1 (a int32, b int32)
            Limit limit 3:int64
              Rows 1 (a int32, b int32)
        """);
    // a filter above the union decides which rows count
    tester.assertDoesNotFire(ids.union(ids).where(col("a").gt(1)).limit(3));
  }

  @Test
  void pushLimitIntoScan() {
    RuleTester tester = new RuleTester(new PushLimitIntoScan());
    tester.assertFires(
        labels.limit(7),
        """
        Limit limit 7:int64
          Scan 'labels.fake' [sample_id int64, label string, score float64] limit 7
        """);
    // a filter between them drops rows that the source has counted
    tester.assertDoesNotFire(labels.where(col("label").eq("cat")).limit(7));
    // the first rows in order are not the source's first
    tester.assertDoesNotFire(labels.sort("label"));
  }

  @Test
  void removeUselessSort() {
    RuleTester tester = new RuleTester(new RemoveUselessSort());
    tester.assertFires(
        ids.sort("a").distinct(),
        """
        Aggregate by {0, 1} []
          Rows 1 (a int32, b int32)
        """);
    // the offset decides which rows there are
    tester.assertDoesNotFire(ids.offset(1).agg(count().as("n")));
  }
}
