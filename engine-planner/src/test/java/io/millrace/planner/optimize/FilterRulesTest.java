package io.millrace.planner.optimize;

import static io.millrace.core.expr.Columns.col;
import static io.millrace.core.expr.Columns.count;
import static io.millrace.planner.dataframe.JoinOn.on;

import io.millrace.core.plan.JoinType;
import io.millrace.core.type.DataType;
import io.millrace.core.udf.UserFunction;
import io.millrace.planner.dataframe.DataFrame;
import io.millrace.planner.fixture.PlannerFixture;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FilterRulesTest {
  private final PlannerFixture fixture = new PlannerFixture();
  private final DataFrame samples = fixture.session.read().load("samples.fake");
  private final DataFrame labels = fixture.session.read().load("labels.fake");
  private final DataFrame ids = fixture.session.values(List.of("a", "b"), new Object[] {1, 2});
  private final DataFrame other = fixture.session.values(List.of("c"), new Object[] {1});

  private static final UserFunction TWICE =
      UserFunction.scalar("twice", DataType.INT32, DataType.INT32, (Integer value) -> 2 * value);

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void mergeFilters() {
    RuleTester tester = new RuleTester(new MergeFilters());
    tester.assertFires(
        ids.where(col("a").gt(1)).where(col("b").gt(2)),
        """
        Filter AND(>($0, 1), >($1, 2))
          Rows 1 (a int32, b int32)
        """);
    tester.assertDoesNotFire(ids.where(col("a").gt(1)).limit(1).where(col("b").gt(2)));
  }

  @Test
  void pushFilterThroughProject() {
    RuleTester tester = new RuleTester(new PushFilterThroughProject());
    tester.assertFires(
        ids.select(col("a").plus(1).as("c")).where(col("c").gt(5)),
        """
        Project [c = add($0, 1)]
          Filter >(add($0, 1), 5)
            Rows 1 (a int32, b int32)
        """);
    // a picture would be decoded twice
    tester.assertDoesNotFire(
        samples
            .select(col("image").decodeImage().as("picture"))
            .where(col("picture").call("image_width").gt(5)));
  }

  @Test
  void pushFilterIntoJoin() {
    RuleTester tester = new RuleTester(new PushFilterIntoJoin());
    tester.assertFires(
        ids.join(other, on(col("a").eq(col("c")))).where(col("b").gt(1).and(col("c").lt(5))),
        """
        Join INNER =($0, $2)
          Filter >($1, 1)
            Rows 1 (a int32, b int32)
          Filter <($0, 5)
            Rows 1 (c int32)
        """);
    DataFrame outer = ids.join(other, on(col("a").eq(col("c"))), JoinType.LEFT);
    tester.assertFires(
        outer.where(col("c").lt(5)),
        """
        Join INNER =($0, $2)
          Rows 1 (a int32, b int32)
          Filter <($0, 5)
            Rows 1 (c int32)
        """);
    // null passes this one: rows without a partner must be there to be tested
    tester.assertDoesNotFire(outer.where(col("c").isNull()));
  }

  @Test
  void pushJoinConditionDown() {
    RuleTester tester = new RuleTester(new PushJoinConditionDown());
    tester.assertFires(
        ids.join(other, on(col("a").eq(col("c")).and(col("c").gt(1))), JoinType.LEFT),
        """
        Join LEFT =($0, $2)
          Rows 1 (a int32, b int32)
          Filter >($0, 1)
            Rows 1 (c int32)
        """);
    // a left row that fails the condition still comes out
    tester.assertDoesNotFire(
        ids.join(other, on(col("a").eq(col("c")).and(col("b").gt(1))), JoinType.LEFT));
  }

  @Test
  void pushFilterThroughAggregate() {
    RuleTester tester = new RuleTester(new PushFilterThroughAggregate());
    tester.assertFires(
        ids.distinct().where(col("a").gt(1)),
        """
        Aggregate by {0, 1} []
          Filter >($0, 1)
            Rows 1 (a int32, b int32)
        """);
    tester.assertDoesNotFire(ids.agg(count().as("n")).where(col("n").gt(1)));
  }

  @Test
  void pushFilterThroughUnion() {
    RuleTester tester = new RuleTester(new PushFilterThroughUnion());
    tester.assertFires(
        ids.union(ids).where(col("a").gt(1)),
        """
        Union all
          Filter >($0, 1)
            Rows 1 (a int32, b int32)
          Filter >($0, 1)
            Rows 1 (a int32, b int32)
        """);
    tester.assertDoesNotFire(ids.union(ids).limit(3).where(col("a").gt(1)));
  }

  @Test
  void pushFilterThroughSort() {
    RuleTester tester = new RuleTester(new PushFilterThroughSort());
    tester.assertFires(
        ids.sort("b").where(col("a").gt(1)),
        """
        Sort [$1 nulls last]
          Filter >($0, 1)
            Rows 1 (a int32, b int32)
        """);
    tester.assertDoesNotFire(ids.sort("b").limit(1).where(col("a").gt(1)));
    tester.assertDoesNotFire(ids.offset(1).where(col("a").gt(1)));
  }

  @Test
  void pushFilterThroughUdf() {
    RuleTester tester = new RuleTester(new PushFilterThroughUdf());
    // the function's node already stands above the other conditions
    tester.assertDoesNotFire(ids.where(TWICE.apply(col("a")).gt(1).and(col("b").gt(1))));
    tester.assertDoesNotFire(ids.where(TWICE.apply(col("a")).gt(1)));
    DataFrame called = ids.select(col("a"), TWICE.apply(col("a")).as("t"));
    new RuleTester(new PushFilterThroughProject())
        .assertFires(
            called.where(col("a").gt(1)),
            """
            Project [a = $0, t = $2]
              Filter >($0, 1)
                Udf twice = twice($0)
                  Rows 1 (a int32, b int32)
            """);
  }

  @Test
  void pushFilterIntoScan() {
    RuleTester tester = new RuleTester(new PushFilterIntoScan());
    tester.assertFires(
        samples.where(col("weather").eq("rain").and(col("sample_id").gt(1))),
        """
        Filter >($0, 1)
          Scan 'samples.fake' [sample_id int64, caption string, weather string, image binary]\
         filters [=($2, 'rain')]
        """);
    // this source takes none
    tester.assertDoesNotFire(labels.where(col("label").eq("cat")));
    // the limit counts rows before the filter
    tester.assertDoesNotFire(samples.limit(5).where(col("weather").eq("rain")));
  }

  @Test
  void pruneEmpty() {
    RuleTester tester = new RuleTester(new PruneEmpty());
    DataFrame none = ids.limit(0);
    tester.assertFires(none.where(col("a").gt(1)), "Rows 0 (a int32, b int32)\n");
    tester.assertFires(ids.union(none), "Rows 1 (a int32, b int32)\n");
    // an aggregate over no rows is one row
    tester.assertDoesNotFire(none.agg(count().as("n")));
    tester.assertDoesNotFire(ids.union(ids));
  }
}
