package io.millrace.planner.optimize;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import io.millrace.planner.dataframe.DataFrame;
import io.millrace.planner.dataframe.ExplainPhase;
import io.millrace.planner.fixture.FakeTable;
import io.millrace.planner.fixture.PlannerFixture;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OrderJoinsTest {
  private final PlannerFixture fixture = new PlannerFixture();

  @AfterEach
  void close() {
    fixture.close();
  }

  private void table(String name, long rows, String... columns) {
    List<Field> fields =
        List.of(columns).stream().map(column -> Field.nullable(column, DataType.INT64)).toList();
    FakeTable table = FakeTable.of(new Schema(fields));
    fixture.connector.add(name + ".fake", rows < 0 ? table : table.withRows(rows));
    fixture.session.execute(
        "create view " + name + " as select * from '" + name + ".fake'", Map.of());
  }

  /** Joins and scans of the optimized plan, one a line, by depth. */
  private String joins(String sql) {
    DataFrame frame = fixture.session.sql(sql);
    StringBuilder text = new StringBuilder();
    for (String line : frame.explain(ExplainPhase.OPTIMIZED).split("\n", -1)) {
      String plain = line.strip();
      if (plain.startsWith("Join")) {
        text.append("Join ").append(plain.contains("true") ? "all" : "keys").append('\n');
      } else if (plain.startsWith("Scan")) {
        text.append(plain.split("[ .]")[1].replace("'", "")).append('\n');
      }
    }
    return text.toString();
  }

  @Test
  void tablesWithoutConditionAreNotJoinedFirst() {
    table("part", 200, "p");
    table("supplier", 100, "s");
    table("line", 6000, "lp", "ls");
    assertEquals(
        """
        Join keys
        Join keys
        line
        supplier
        part
        """,
        joins("select count(*) from part, supplier, line where p = lp and s = ls"));
  }

  @Test
  void aSideIsReducedBeforeItIsJoined() {
    table("sales", 1_000_000, "item", "shop");
    table("shops", 1_000, "shop1", "x");
    table("returned", 900_000, "item1", "reason");
    table("reasons", 1_000, "reason1", "y");
    assertEquals(
        """
        Join keys
        Join keys
        sales
        Join keys
        returned
        reasons
        shops
        """,
        joins(
            """
            select count(*) from sales, returned, shops, reasons
            where item = item1 and shop = shop1 and reason = reason1 and x = 3 and y = 5\
            """));
  }

  @Test
  void equalColumnsConnectTablesThatNoWrittenConditionDoes() {
    table("large", 1_000_000, "a");
    table("middle", 1_000, "b");
    table("little", 10, "c");
    assertEquals(
        """
        Join keys
        large
        Join keys
        middle
        little
        """,
        joins("select count(*) from middle, large, little where a = b and a = c"));
  }

  @Test
  void twoTablesStayAsTheyAre() {
    table("left_table", -1, "a");
    table("right_table", -1, "b");
    assertEquals(
        """
        Join keys
        left_table
        right_table
        """,
        joins("select count(*) from left_table, right_table where a = b"));
  }

  @Test
  void moreTablesThanTreesAreTriedFor() {
    StringBuilder from = new StringBuilder("t0");
    StringBuilder where = new StringBuilder("t0.a0 is not null");
    table("t0", 1000, "a0", "b0");
    for (int index = 1; index < 14; index++) {
      table("t" + index, 1000 + index, "a" + index, "b" + index);
      from.append(", t").append(index);
      where.append(" and b").append(index - 1).append(" = a").append(index);
    }
    String joins = joins("select count(*) from " + from + " where " + where);
    assertEquals(13, joins.split("Join keys", -1).length - 1);
  }

  @Test
  void oneTableComparedWithItself() {
    table("pair", 100, "x", "y");
    table("single", 10, "k");
    table("third", 5, "m");
    String plan =
        fixture
            .session
            .sql("select count(*) from pair, single, third where x = k and y = k and k = m")
            .explain(ExplainPhase.OPTIMIZED);
    assertEquals(true, plan.contains("=($0, $1)"), plan);
  }
}
