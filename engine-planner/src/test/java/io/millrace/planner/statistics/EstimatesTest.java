package io.millrace.planner.statistics;

import static io.millrace.core.expr.Columns.col;
import static io.millrace.core.expr.Columns.count;
import static io.millrace.core.expr.Columns.lit;
import static io.millrace.planner.dataframe.JoinOn.on;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.core.expr.Column;
import io.millrace.core.plan.JoinType;
import io.millrace.core.spi.TableStatistics.ColumnStatistics;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import io.millrace.planner.dataframe.DataFrame;
import io.millrace.planner.dataframe.PlanAccess;
import io.millrace.planner.fixture.FakeTable;
import io.millrace.planner.fixture.PlannerFixture;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class EstimatesTest {
  private final PlannerFixture fixture = new PlannerFixture();

  @BeforeEach
  void addTables() {
    fixture.connector.add(
        "facts.fake",
        FakeTable.of(
                Schema.of(
                    Field.nullable("dimension", DataType.INT64),
                    Field.nullable("amount", DataType.INT64),
                    Field.nullable("kind", DataType.STRING),
                    Field.nullable("note", DataType.STRING)))
            .withRows(100_000)
            .withColumn("dimension", column(OptionalLong.empty(), 0, 1L, 1000L))
            .withColumn("amount", column(OptionalLong.empty(), 0.2, 0L, 99L))
            .withColumn("kind", column(OptionalLong.of(5), 0, null, null)));
    fixture.connector.add(
        "dimensions.fake",
        FakeTable.of(
                Schema.of(
                    Field.nullable("id", DataType.INT64), Field.nullable("name", DataType.STRING)))
            .withRows(1000)
            .withColumn("id", column(OptionalLong.empty(), 0, 1L, 1000L))
            .withColumn("name", column(OptionalLong.of(100), 0, null, null)));
    fixture.connector.add(
        "unknown.fake", FakeTable.of(Schema.of(Field.nullable("a", DataType.INT64))));
  }

  private static ColumnStatistics column(
      OptionalLong distinct, double nullShare, Object minimum, Object maximum) {
    return new ColumnStatistics(
        distinct, OptionalDouble.of(nullShare), OptionalLong.empty(), minimum, maximum);
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private DataFrame table(String name) {
    return fixture.session.read().load(name + ".fake");
  }

  private static double rows(DataFrame frame) {
    return new Estimates(true).of(PlanAccess.node(frame)).rows();
  }

  private void assertShare(double share, Column condition) {
    assertEquals(share * 100_000, rows(table("facts").where(condition)), 101);
  }

  @Test
  void equalityUsesTheCountOfValues() {
    assertShare(0.2, col("kind").eq("x"));
    assertShare(0.8, col("kind").ne("x"));
    assertShare(0.001, col("dimension").eq(7L));
    assertShare(0, col("dimension").eq(5000L));
    assertShare(0.4, col("kind").eq("x").or(col("kind").eq("y")));
    assertShare(0.1, col("note").eq("nothing is known of it"));
  }

  @Test
  void rangesOfOneColumnAreCut() {
    assertShare(0.5, col("dimension").gt(500L));
    assertShare(0.1, col("dimension").gt(500L).and(col("dimension").le(600L)));
    assertShare(0, col("dimension").gt(600L).and(col("dimension").lt(500L)));
  }

  @Test
  void nullsAreCounted() {
    assertShare(0.2, col("amount").isNull());
    assertShare(0.8, col("amount").isNotNull());
    assertShare(0.8 / 100, col("amount").eq(3L));
  }

  @Test
  void keysMeetTheirPartners() {
    DataFrame facts = table("facts");
    DataFrame dimensions = table("dimensions");
    assertEquals(100_000, rows(facts.join(dimensions, on(col("dimension").eq(col("id"))))), 100);
    DataFrame few = dimensions.where(col("name").eq("x"));
    assertEquals(1_000, rows(facts.join(few, on(col("dimension").eq(col("id"))))), 10);
    assertEquals(
        1_000, rows(facts.join(few, on(col("dimension").eq(col("id"))), JoinType.SEMI)), 100);
    assertEquals(
        100_000, rows(facts.join(few, on(col("dimension").eq(col("id"))), JoinType.LEFT)), 100);
  }

  @Test
  void groupsAreCombinations() {
    assertEquals(1000, rows(table("facts").groupBy("dimension").agg(count().as("n"))), 1);
    assertEquals(5000, rows(table("facts").groupBy("dimension", "kind").agg(count().as("n"))), 100);
    assertEquals(1, rows(table("facts").agg(count().as("n"))));
  }

  @Test
  void unknownIsNotZero() {
    Estimates estimates = new Estimates(true);
    assertTrue(estimates.rows(PlanAccess.node(table("unknown"))).isEmpty());
    assertTrue(estimates.bytes(PlanAccess.node(table("unknown").where(lit(true)))).isEmpty());
    assertTrue(estimates.of(PlanAccess.node(table("unknown"))).rows() > 0);
    assertEquals(OptionalDouble.of(3), estimates.rows(PlanAccess.node(table("unknown").limit(3))));
    Estimates without = new Estimates(false);
    assertTrue(without.rows(PlanAccess.node(table("facts"))).isEmpty());
  }
}
