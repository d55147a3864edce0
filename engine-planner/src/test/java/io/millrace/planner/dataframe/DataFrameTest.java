package io.millrace.planner.dataframe;

import static io.millrace.core.expr.Columns.avg;
import static io.millrace.core.expr.Columns.col;
import static io.millrace.core.expr.Columns.count;
import static io.millrace.core.expr.Columns.lit;
import static io.millrace.core.expr.Columns.sum;
import static io.millrace.planner.dataframe.JoinOn.on;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.plan.JoinType;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import io.millrace.planner.fixture.PlannerFixture;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DataFrameTest {
  private final PlannerFixture fixture = new PlannerFixture();
  private final DataFrame samples = fixture.session.read().load("samples.fake");
  private final DataFrame labels = fixture.session.read().load("labels.fake");

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void selectionsHaveTheColumnsThatWereAskedFor() {
    DataFrame chosen =
        samples
            .where(col("weather").eq("rain"))
            .withColumn("twice", col("sample_id").times(2))
            .select("caption", "twice");
    assertEquals(
        Schema.of(
            Field.nullable("caption", DataType.STRING), Field.nullable("twice", DataType.INT64)),
        chosen.schema());
  }

  @Test
  void replacedColumnsKeepTheirPlace() {
    assertEquals(
        List.of("sample_id", "caption", "weather", "image"),
        samples.withColumn("caption", col("caption").upper()).schema().names());
    assertEquals(
        List.of("sample_id", "text", "weather", "image"),
        samples.rename("caption", "text").schema().names());
    assertEquals(
        List.of("sample_id", "caption"), samples.drop("weather", "image").schema().names());
  }

  @Test
  void joinOnNamesGivesEachKeyOnceAndFirst() {
    DataFrame joined = samples.join(labels, on("sample_id"));
    assertEquals(
        List.of("sample_id", "caption", "weather", "image", "label", "score"),
        joined.schema().names());
    assertEquals(
        List.of("sample_id", "caption", "weather", "image"),
        samples.join(labels, on("sample_id"), JoinType.SEMI).schema().names());
  }

  @Test
  void aliasesTellColumnsOfOneNameApart() {
    DataFrame joined =
        samples
            .alias("s")
            .join(labels.alias("l"), on(col("s.sample_id").eq(col("l.sample_id"))))
            .select(col("l.sample_id"), col("s.caption"));
    assertEquals(List.of("sample_id", "caption"), joined.schema().names());
    MillraceException ambiguous =
        assertThrows(
            MillraceException.class,
            () -> samples.join(labels, lit(true)).select(col("sample_id")));
    assertEquals(ErrorCode.AMBIGUOUS_NAME, ambiguous.code());
  }

  @Test
  void aggregatesMayBePartsOfExpressions() {
    DataFrame grouped =
        labels
            .groupBy("label")
            .agg(
                count().as("n"),
                avg(col("score")).as("mean"),
                sum(col("score")).dividedBy(count()).as("ratio"));
    assertEquals(
        Schema.of(
            Field.nullable("label", DataType.STRING),
            Field.required("n", DataType.INT64),
            Field.nullable("mean", DataType.FLOAT64),
            Field.nullable("ratio", DataType.FLOAT64)),
        grouped.schema());
  }

  @Test
  void unknownNamesAreErrorsAtOnceAndNameTheNearest() {
    MillraceException column =
        assertThrows(MillraceException.class, () -> samples.where(col("captoin").eq("x")));
    assertEquals(ErrorCode.UNKNOWN_COLUMN, column.code());
    assertTrue(column.getMessage().contains("did you mean 'caption'"), column.getMessage());
    MillraceException function =
        assertThrows(MillraceException.class, () -> samples.select(col("caption").call("uper")));
    assertEquals(ErrorCode.UNKNOWN_FUNCTION, function.code());
    assertTrue(function.getMessage().contains("'upper'"), function.getMessage());
    MillraceException types =
        assertThrows(MillraceException.class, () -> samples.where(col("caption").plus(1).gt(2)));
    assertEquals(ErrorCode.TYPE_MISMATCH, types.code());
    MillraceException notBoolean =
        assertThrows(MillraceException.class, () -> samples.where(col("sample_id")));
    assertEquals(ErrorCode.TYPE_MISMATCH, notBoolean.code());
    MillraceException option =
        assertThrows(
            MillraceException.class,
            () -> fixture.session.read().option("colums", "a").load("samples.fake"));
    assertEquals(ErrorCode.UNKNOWN_OPTION, option.code());
    assertTrue(option.getMessage().contains("'columns'"), option.getMessage());
  }

  @Test
  void onlyKeysAndAggregatesComeOutOfGroups() {
    MillraceException failure =
        assertThrows(
            MillraceException.class, () -> labels.groupBy("label").agg(col("score").plus(1)));
    assertEquals(ErrorCode.UNKNOWN_COLUMN, failure.code());
  }

  @Test
  void rowsTakeTheirSchemasTypes() {
    DataFrame rows =
        fixture.session.fromRows(
            Schema.of(Field.nullable("a", DataType.INT64), Field.nullable("b", DataType.FLOAT32)),
            List.of(List.of(1, 2), List.of(3, 4.5)));
    assertTrue(rows.explain(ExplainPhase.LOGICAL).startsWith("Rows 2"));
    assertThrows(
        MillraceException.class,
        () ->
            fixture.session.fromRows(
                Schema.of(Field.nullable("a", DataType.INT64)), List.of(List.of(1, 2))));
  }

  @Test
  void unionsHaveCommonTypes() {
    DataFrame ints = fixture.session.values(List.of("a"), new Object[] {1});
    DataFrame longs = fixture.session.values(List.of("b"), new Object[] {2L});
    assertEquals(DataType.INT64, ints.union(longs).schema().field(0).type());
    assertThrows(MillraceException.class, () -> ints.union(samples));
  }

  @Test
  void frameOfAnotherSessionIsRefused() {
    try (PlannerFixture other = new PlannerFixture()) {
      DataFrame foreign = other.session.read().load("labels.fake");
      MillraceException failure =
          assertThrows(MillraceException.class, () -> samples.join(foreign, on("sample_id")));
      assertEquals(ErrorCode.INVALID_ARGUMENT, failure.code());
    }
  }

  @Test
  void explainsEveryPhase() {
    String text =
        samples
            .where(col("weather").eq("rain"))
            .join(labels, on("sample_id"))
            .groupBy("label")
            .agg(count().as("n"))
            .sort(col("n").descending())
            .limit(3)
            .explain(ExplainPhase.ALL);
    assertTrue(text.contains("Logical plan"), text);
    assertTrue(text.contains("HashJoin INNER probe [$0] build [$0]"), text);
    assertTrue(text.contains("Stage 0"), text);
  }
}
