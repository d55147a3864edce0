package io.millrace.integration.dataframe;

import static io.millrace.core.expr.Columns.avg;
import static io.millrace.core.expr.Columns.col;
import static io.millrace.core.expr.Columns.count;
import static io.millrace.core.expr.Columns.sum;
import static io.millrace.planner.dataframe.JoinOn.on;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.core.type.DataType;
import io.millrace.core.udf.UserFunction;
import io.millrace.planner.dataframe.DataFrame;
import io.millrace.planner.dataframe.Row;
import io.millrace.planner.dataframe.Session;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DataFrameEndToEndTest {

  private static DataFrame numbers(Session session, int rows) {
    List<Object[]> values = new ArrayList<>();
    for (int row = 0; row < rows; row++) {
      values.add(new Object[] {(long) row, row % 3, "name " + row % 5});
    }
    return session.values(List.of("id", "part", "name"), values.toArray(Object[][]::new));
  }

  private static List<List<Object>> rows(DataFrame frame) {
    List<List<Object>> rows = new ArrayList<>();
    for (Row row : frame.collect()) {
      List<Object> values = new ArrayList<>();
      for (int column = 0; column < frame.schema().size(); column++) {
        values.add(row.value(column));
      }
      rows.add(values);
    }
    return rows;
  }

  @Test
  void filterProjectAndSort() {
    try (Session session = Session.local()) {
      DataFrame frame =
          numbers(session, 20)
              .where(col("part").eq(1).and(col("id").gt(5)))
              .select(col("id").plus(1).as("next"), col("name").upper().as("name"))
              .sort(col("next").descending());
      assertEquals(
          List.of(
              List.of(20L, "NAME 4"),
              List.of(17L, "NAME 1"),
              List.of(14L, "NAME 3"),
              List.of(11L, "NAME 0"),
              List.of(8L, "NAME 2")),
          rows(frame));
    }
  }

  @Test
  void joinAndAggregate() {
    try (Session session = Session.local()) {
      DataFrame parts =
          session.values(
              List.of("part", "label"), new Object[] {0, "zero"}, new Object[] {1, "one"});
      DataFrame frame =
          numbers(session, 1000)
              .join(parts, on("part"))
              .groupBy("label")
              .agg(count().as("n"), sum(col("part")).as("s"), avg(col("id")).as("a"))
              .sort("label");
      assertEquals(
          List.of(List.of("one", 333L, 333L, 499.0), List.of("zero", 334L, 0L, 499.5)),
          rows(frame));
    }
  }

  @Test
  void aUserFunctionRunsOverAColumn() {
    try (Session session = Session.local()) {
      UserFunction twice =
          UserFunction.scalar("twice", DataType.INT64, DataType.INT64, (Long x) -> 2 * x);
      DataFrame frame =
          numbers(session, 3000)
              .withColumn("double", twice.apply(col("id")))
              .where(col("double").ge(5990))
              .select("double")
              .sort("double");
      assertEquals(
          List.of(List.of(5990L), List.of(5992L), List.of(5994L), List.of(5996L), List.of(5998L)),
          rows(frame));
    }
  }

  @Test
  void limitAndUnionAndDistinct() {
    try (Session session = Session.local()) {
      DataFrame numbers = numbers(session, 100);
      assertEquals(7, numbers.limit(7).collect().size());
      assertEquals(200, numbers.union(numbers).count());
      assertEquals(3, numbers.select("part").distinct().collect().size());
    }
  }
}
