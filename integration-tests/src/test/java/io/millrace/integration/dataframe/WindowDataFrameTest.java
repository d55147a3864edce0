package io.millrace.integration.dataframe;

import static io.millrace.core.expr.Columns.call;
import static io.millrace.core.expr.Columns.col;
import static io.millrace.core.expr.Columns.count;
import static io.millrace.core.expr.Columns.sum;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.expr.Column;
import io.millrace.core.expr.Window;
import io.millrace.core.plan.WindowFrame;
import io.millrace.planner.dataframe.DataFrame;
import io.millrace.planner.dataframe.ExplainPhase;
import io.millrace.planner.dataframe.Row;
import io.millrace.planner.dataframe.Session;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Windows by calls: the same plans and rows as in SQL. */
class WindowDataFrameTest {
  private final Session session = Session.local();

  @AfterEach
  void close() {
    session.close();
  }

  private DataFrame numbers() {
    Object[][] rows = new Object[12][];
    for (int row = 0; row < rows.length; row++) {
      rows[row] = new Object[] {(long) row, row % 3, row % 4 == 0 ? null : (Object) (row * 2)};
    }
    DataFrame frame = session.values(List.of("id", "part", "value"), rows);
    frame.createOrReplaceView("numbers");
    return frame;
  }

  private void same(String sql, Column... columns) {
    DataFrame byCalls = numbers().select(columns);
    DataFrame bySql = session.sql("SELECT " + sql + " FROM numbers");
    assertEquals(
        bySql.explain(ExplainPhase.OPTIMIZED), byCalls.explain(ExplainPhase.OPTIMIZED), sql);
    assertEquals(
        bySql.collect().stream().map(Row::values).toList(),
        byCalls.collect().stream().map(Row::values).toList(),
        sql);
  }

  @Test
  void ranksAndShifts() {
    Window window = Window.partitionBy("part").orderBy(col("id").descending());
    same(
        "id, row_number() OVER (PARTITION BY part ORDER BY id DESC) AS n,"
            + " lag(id, 2) OVER (PARTITION BY part ORDER BY id DESC) AS l",
        col("id"),
        call("row_number").over(window).as("n"),
        call("lag", col("id"), 2).over(window).as("l"));
  }

  @Test
  void aggregatesOverFrames() {
    same(
        "sum(id) OVER (ORDER BY id ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS a,"
            + " count(*) OVER (PARTITION BY part) AS b,"
            + " sum(id) OVER (ORDER BY part GROUPS BETWEEN 1 PRECEDING AND 1 FOLLOWING"
            + " EXCLUDE GROUP) AS c",
        sum(col("id")).over(Window.all().orderBy("id").rowsBetween(-2, 0)).as("a"),
        count().over(Window.partitionBy("part")).as("b"),
        sum(col("id"))
            .over(
                Window.all()
                    .orderBy("part")
                    .groupsBetween(-1, 1)
                    .exclude(WindowFrame.Exclusion.GROUP))
            .as("c"));
  }

  @Test
  void nullsArePassedOver() {
    same(
        "last_value(value) IGNORE NULLS OVER (ORDER BY id) AS v",
        call("last_value", col("value")).overIgnoringNulls(Window.all().orderBy("id")).as("v"));
  }

  @Test
  void filtersByAWindow() {
    DataFrame first =
        numbers()
            .where(call("row_number").over(Window.partitionBy("part").orderBy("id")).eq(1))
            .select("id");
    assertEquals(3, first.collect().size());
  }

  @Test
  void aScalarFunctionHasNoWindow() {
    DataFrame frame = numbers();
    MillraceException failure =
        assertThrows(
            MillraceException.class,
            () -> frame.select(call("upper", col("id")).over(Window.all()).as("x")));
    assertEquals(ErrorCode.INVALID_ARGUMENT, failure.code());
  }
}
