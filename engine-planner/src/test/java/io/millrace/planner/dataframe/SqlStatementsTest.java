package io.millrace.planner.dataframe;

import static io.millrace.core.expr.Columns.avg;
import static io.millrace.core.expr.Columns.col;
import static io.millrace.core.expr.Columns.count;
import static io.millrace.core.expr.Columns.sum;
import static io.millrace.core.expr.Columns.when;
import static io.millrace.planner.dataframe.JoinOn.on;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.plan.JoinType;
import io.millrace.core.plan.PhysicalPlan;
import io.millrace.core.type.DataType;
import io.millrace.core.udf.UserFunction;
import io.millrace.planner.fixture.PlannerFixture;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** SQL in a Session: the same plans as the DataFrame gives, and statements that do something. */
class SqlStatementsTest {
  private final PlannerFixture fixture = new PlannerFixture();
  private final Session session = fixture.session;

  @AfterEach
  void close() {
    fixture.close();
  }

  private DataFrame load(String uri) {
    return session.read().load(uri);
  }

  private void assertSamePlan(String sql, DataFrame frame) {
    DataFrame query = session.sql(sql);
    assertEquals(frame.explain(ExplainPhase.OPTIMIZED), query.explain(ExplainPhase.OPTIMIZED), sql);
    assertEquals(frame.schema().types(), query.schema().types(), sql);
  }

  @Test
  void constantsNeedNoTable() {
    DataFrame query = session.sql("select 1 as number, 'a' as letter");
    assertEquals(List.of("number", "letter"), query.schema().names());
    query.stream().close();
    assertInstanceOf(PhysicalPlan.Project.class, fixture.runner.requests.getFirst().plan());
  }

  @Test
  void filterGivesTheSamePlan() {
    assertSamePlan(
        "SELECT upper(caption) AS text FROM 'samples.fake' WHERE weather = 'rain' AND sample_id >"
            + " 10",
        load("samples.fake")
            .where(col("weather").eq("rain").and(col("sample_id").gt(10)))
            .select(col("caption").upper().as("text")));
  }

  @Test
  void joinGivesTheSamePlan() {
    assertSamePlan(
        "SELECT caption, label FROM 'samples.fake' JOIN 'labels.fake' USING (sample_id)"
            + " WHERE score > 0.5e0",
        load("samples.fake")
            .join(load("labels.fake"), on("sample_id"))
            .where(col("score").gt(0.5))
            .select("caption", "label"));
    assertSamePlan(
        "SELECT l.price, o.customer FROM 'lines.fake' l LEFT JOIN 'orders.fake' o"
            + " ON l.order_id = o.order_id",
        load("lines.fake")
            .alias("l")
            .join(
                load("orders.fake").alias("o"),
                on(col("l.order_id").eq(col("o.order_id"))),
                JoinType.LEFT)
            .select(col("l.price"), col("o.customer")));
  }

  @Test
  void aggregationGivesTheSamePlan() {
    assertSamePlan(
        "SELECT order_id, sum(price) AS total, avg(quantity) AS mean, count(*) AS n FROM"
            + " 'lines.fake' GROUP BY order_id HAVING count(*) > 2 ORDER BY total DESC LIMIT 10",
        load("lines.fake")
            .groupBy("order_id")
            .agg(sum(col("price")).as("total"), avg(col("quantity")).as("mean"), count().as("n"))
            .where(col("n").gt(2))
            .sort(col("total").descending())
            .limit(10));
  }

  @Test
  void expressionsGiveTheSamePlan() {
    assertSamePlan(
        "SELECT price * (1 - quantity) AS a, CASE WHEN quantity > 5 THEN 'many' ELSE 'few' END AS"
            + " b, coalesce(note, '-') AS c FROM 'lines.fake' WHERE quantity IN (1, 2, 3) AND note"
            + " IS NOT NULL",
        load("lines.fake")
            .where(col("quantity").isIn(1, 2, 3).and(col("note").isNotNull()))
            .select(
                col("price")
                    .times(io.millrace.core.expr.Columns.lit(1).minus(col("quantity")))
                    .as("a"),
                when(col("quantity").gt(5), "many").otherwise("few").as("b"),
                col("note").call("coalesce", "-").as("c")));
  }

  @Test
  void functionsOfTheSessionAreCalledFromSql() {
    UserFunction twice =
        UserFunction.scalar("twice", DataType.INT64, DataType.INT64, (Long value) -> 2 * value);
    session.register(twice);
    assertSamePlan(
        "SELECT twice(sample_id) AS t FROM 'samples.fake' LIMIT 3",
        load("samples.fake").select(twice.apply(col("sample_id")).as("t")).limit(3));
    MillraceException builtIn =
        assertThrows(
            MillraceException.class,
            () ->
                session.register(
                    UserFunction.scalar(
                        "upper", DataType.STRING, DataType.STRING, (String text) -> text)));
    assertEquals(ErrorCode.DUPLICATE_NAME, builtIn.code());
  }

  @Test
  void subqueriesBecomeJoins() {
    String exists =
        session
            .sql(
                "SELECT customer FROM 'orders.fake' o WHERE EXISTS (SELECT 1 FROM 'lines.fake' l"
                    + " WHERE l.order_id = o.order_id AND l.quantity > 3)")
            .explain(ExplainPhase.OPTIMIZED);
    assertTrue(exists.contains("Join"), exists);
    String in =
        session
            .sql(
                "SELECT customer FROM 'orders.fake' WHERE order_id IN"
                    + " (SELECT order_id FROM 'lines.fake' WHERE quantity > 3)")
            .explain(ExplainPhase.PHYSICAL);
    assertTrue(in.contains("HashJoin"), in);
    String scalar =
        session
            .sql(
                "SELECT note FROM 'lines.fake' WHERE price >"
                    + " (SELECT avg(price) FROM 'lines.fake')")
            .explain(ExplainPhase.PHYSICAL);
    assertTrue(scalar.contains("Aggregate"), scalar);
    String correlated =
        session
            .sql(
                "SELECT note FROM 'lines.fake' a WHERE price >"
                    + " (SELECT avg(b.price) FROM 'lines.fake' b WHERE b.order_id = a.order_id)")
            .explain(ExplainPhase.PHYSICAL);
    assertTrue(correlated.contains("HashJoin"), correlated);
  }

  @Test
  void parametersAreTypedByTheirPlace() {
    String plan =
        session
            .sql("SELECT caption FROM 'samples.fake' WHERE sample_id = :id", Map.of("id", 7))
            .explain(ExplainPhase.PHYSICAL);
    assertTrue(plan.contains("eq($0, 7)"), plan);
  }

  @Test
  void setOperationsAreJoinsAndAggregates() {
    String plan =
        session
            .sql(
                "SELECT order_id FROM 'orders.fake' EXCEPT SELECT order_id FROM 'lines.fake'"
                    + " ORDER BY order_id LIMIT 3")
            .explain(ExplainPhase.PHYSICAL);
    assertTrue(plan.contains("HashJoin ANTI"), plan);
    assertTrue(plan.contains("TopN"), plan);
    String union =
        session
            .sql("SELECT caption FROM 'samples.fake' UNION SELECT label FROM 'labels.fake'")
            .explain(ExplainPhase.PHYSICAL);
    assertTrue(union.contains("Union"), union);
    assertTrue(union.contains("Aggregate FINAL"), union);
  }

  @Test
  void viewsAreQueriesUnderAName() {
    assertInstanceOf(
        StatementResult.Done.class,
        session.execute(
            "CREATE VIEW rainy AS SELECT * FROM 'samples.fake' WHERE weather = 'rain'", Map.of()));
    assertSamePlan(
        "SELECT caption FROM RAINY",
        load("samples.fake").where(col("weather").eq("rain")).select("caption"));
    assertThrows(
        MillraceException.class,
        () -> session.execute("CREATE VIEW rainy AS SELECT 1 AS a", Map.of()));
    session.execute("CREATE OR REPLACE VIEW rainy AS SELECT 1 AS a", Map.of());
    assertEquals(List.of("a"), session.table("rainy").schema().names());
    session.execute("DROP VIEW rainy", Map.of());
    MillraceException unknown =
        assertThrows(MillraceException.class, () -> session.sql("SELECT * FROM rainy"));
    assertEquals(ErrorCode.UNKNOWN_TABLE, unknown.code());
  }

  @Test
  void settingsChangeForTheStatementsThatFollow() {
    session.execute("SET batch.rows = 1000", Map.of());
    assertEquals("1000", session.configuration().texts().get("batch.rows"));
    MillraceException unknown =
        assertThrows(MillraceException.class, () -> session.execute("SET batch.row = 1", Map.of()));
    assertEquals(ErrorCode.UNKNOWN_SETTING, unknown.code());
  }

  @Test
  void showAndDescribeGiveRows() {
    assertEquals(
        List.of("column_name", "column_type", "nullable"),
        session.sql("DESCRIBE SELECT * FROM 'labels.fake'").schema().names());
    assertEquals(List.of("name", "kind"), session.sql("SHOW TABLES").schema().names());
    assertEquals(
        List.of("name", "value", "description"), session.sql("SHOW SETTINGS").schema().names());
    assertEquals(List.of("plan"), session.sql("EXPLAIN SELECT 1 AS a").schema().names());
  }

  @Test
  void copyCommitsOnce() {
    StatementResult result =
        session.execute("COPY (SELECT caption FROM 'samples.fake') TO 'out.fake'", Map.of());
    assertInstanceOf(StatementResult.Done.class, result);
    assertEquals(
        List.of("begin OVERWRITE " + Path.of("out.fake").toAbsolutePath(), "commit 0", "close"),
        fixture.connector.sinkEvents);
    assertInstanceOf(PhysicalPlan.Write.class, fixture.runner.requests.getFirst().plan());
  }

  @Test
  void failedCopyIsAborted() {
    fixture.runner.failWith(new MillraceException(ErrorCode.IO_FAILED, "Broken."));
    assertThrows(
        MillraceException.class,
        () -> session.execute("COPY (SELECT caption FROM 'samples.fake') TO 'x.fake'", Map.of()));
    assertEquals(
        List.of("begin OVERWRITE " + Path.of("x.fake").toAbsolutePath(), "abort", "close"),
        fixture.connector.sinkEvents);
  }

  @Test
  void everyStatementOfATextIsBoundInItsTurn() {
    List<Statement> statements =
        session.statements(
            "CREATE VIEW v AS SELECT 1 AS a; SELECT a FROM v; SELECT a + 1 AS b FROM v", Map.of());
    assertEquals(3, statements.size());
    statements.forEach(Statement::execute);
    StatementResult again = statements.getLast().execute();
    assertInstanceOf(StatementResult.Rows.class, again);
  }
}
