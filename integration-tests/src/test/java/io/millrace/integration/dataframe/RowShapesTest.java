package io.millrace.integration.dataframe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import io.millrace.planner.dataframe.DataFrame;
import io.millrace.planner.dataframe.Row;
import io.millrace.planner.dataframe.Session;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** DataFrame calls that give more or fewer rows for a row. */
class RowShapesTest {
  private Session session;

  @BeforeEach
  void open() {
    session = Session.local();
  }

  @AfterEach
  void close() {
    session.close();
  }

  private DataFrame lists() {
    return session.fromRows(
        Schema.of(
            Field.required("id", DataType.INT64),
            Field.nullable("tags", DataType.list(DataType.STRING)),
            Field.nullable("after", DataType.INT32)),
        List.of(
            Arrays.asList(1L, List.of("a", "b"), 7),
            Arrays.asList(2L, List.of(), 8),
            Arrays.asList(3L, null, 9)));
  }

  private static List<List<Object>> rows(DataFrame frame) {
    return frame.collect().stream().map(Row::values).toList();
  }

  @Test
  void explodedListsKeepTheirPlace() {
    DataFrame exploded = lists().explode("tags");
    assertEquals(List.of("id", "tags", "after"), exploded.schema().names());
    assertEquals(List.of(List.of(1L, "a", 7), List.of(1L, "b", 7)), rows(exploded));
    assertEquals(4, lists().explodeOuter("tags").count());
  }

  @Test
  void onlyListsExplode() {
    MillraceException failure =
        assertThrows(MillraceException.class, () -> lists().explode("after"));
    assertEquals(ErrorCode.TYPE_MISMATCH, failure.code());
  }

  @Test
  void unpivotedColumnsBecomeRows() {
    DataFrame wide =
        session.fromRows(
            Schema.of(
                Field.required("id", DataType.INT64),
                Field.nullable("a", DataType.INT32),
                Field.nullable("b", DataType.INT64)),
            List.of(Arrays.asList(1L, 2, 3L), Arrays.asList(4L, null, 6L)));
    DataFrame tall = wide.unpivot(List.of("a", "b"), "name", "value").sort("id", "name");
    assertEquals(List.of("id", "name", "value"), tall.schema().names());
    assertEquals(
        List.of(
            List.of(1L, "a", 2L),
            List.of(1L, "b", 3L),
            Arrays.asList(4L, "a", null),
            List.of(4L, "b", 6L)),
        rows(tall));
  }

  @Test
  void samplesRepeat() {
    List<List<?>> rows = new ArrayList<>();
    for (long id = 0; id < 1000; id++) {
      rows.add(List.of(id));
    }
    DataFrame all = session.fromRows(Schema.of(Field.required("id", DataType.INT64)), rows);
    assertEquals(0, all.sample(0).count());
    assertEquals(1000, all.sample(1).count());
    List<List<Object>> some = rows(all.sample(0.3, 5).sort("id"));
    assertEquals(some, rows(all.sample(0.3, 5).sort("id")));
    assertTrue(some.size() > 200 && some.size() < 400, "kept " + some.size());
  }
}
