package io.millrace.planner.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.planner.sql.parser.FrameWindow;
import io.millrace.planner.sql.parser.ParsedStatement;
import io.millrace.planner.sql.parser.TableReferences;
import io.millrace.planner.sql.parser.TypeNameSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SqlTextParserTest {

  private static <T extends ParsedStatement> T only(Class<T> type, String sql) {
    List<ParsedStatement> statements = SqlTextParser.parse(sql).statements();
    assertEquals(1, statements.size(), sql);
    return assertInstanceOf(type, statements.getFirst());
  }

  /** The special table references that the statements of a text name, in the order of the text. */
  private static List<TableReferences.SqlTableReference> references(String sql) {
    ParsedText text = SqlTextParser.parse(sql);
    List<TableReferences.SqlTableReference> found = new ArrayList<>();
    for (ParsedStatement statement : text.statements()) {
      ((ParsedStatement.Query) statement)
          .query()
          .accept(
              new SqlBasicVisitor<Void>() {
                @Override
                public Void visit(SqlIdentifier identifier) {
                  text.tableReferences().find(identifier.names).ifPresent(found::add);
                  return null;
                }
              });
    }
    return found;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT 1",
        "SELECT * FROM 'data/rain.lance' ORDER BY d LIMIT 10",
        "SELECT r.a FROM 'x.parquet' AS r JOIN 'y.parquet' y ON r.a = y.a, z",
        "SELECT * FROM t VERSION AS OF 3 v WHERE v.a > 1",
        "SELECT * FROM 'x.lance' TAG AS OF 'v1'",
        "SELECT * FROM t TIMESTAMP AS OF '2026-01-01 00:00:00' JOIN u USING (a)",
        "SELECT version, tag, health, columns FROM t version",
        "SELECT * FROM read_parquet('x', opt => 3)",
        "SELECT * FROM read_parquet('x', columns => ['a', 'b']) p, TABLE(read_csv('y'))",
        "SELECT l2_distance(embedding, :q) AS d FROM t LIMIT :n",
        "SELECT sum(x) OVER (ORDER BY y GROUPS BETWEEN 1 PRECEDING AND CURRENT ROW) FROM t",
        "SELECT sum(x) OVER (groups) FROM t WINDOW groups AS (PARTITION BY groups)",
        "SELECT a::int < 5, b::list<list<int32>>, c::decimal(10, 2) FROM t",
        "SELECT CAST(a AS struct<x int, y: list<string> NOT NULL>), TRY_CAST(b AS date) FROM t",
        "SELECT CAST(a AS timestamp(9) with time zone), CAST(b AS double precision), c::text[]",
        "SELECT [1, 2, 3][1], [], a[1].b",
        "SELECT CASE WHEN a THEN 'über ☃' ELSE '日本' END",
        "SELECT * EXCLUDE (a) FROM t QUALIFY row_number() OVER (ORDER BY a) = 1",
        "SELECT a FROM t WHERE b NOT IN (SELECT b FROM u) AND EXISTS (SELECT 1)",
        "WITH x AS (SELECT 1 AS a) SELECT * FROM x UNION ALL SELECT 2 ORDER BY 1 OFFSET 1",
        "VALUES (1, 'a'), (2, 'b')",
        "SELECT date, x.value, year AS month, count, one day FROM t position ORDER BY time",
        "SELECT DATE '2026-01-01', year(day), count(*), max(max), position('a' IN position) FROM t",
        "SELECT sum(value), next, (value + 1) FROM t ORDER BY next OFFSET 1 ROWS FETCH NEXT 2 ROWS"
            + " ONLY",
        "SELECT contains(name, 'a'), translate(name, 'a', 'b') FROM t",
        "SELECT x FROM t FETCH FIRST 3 ROWS ONLY",
        "SELECT interval 3 month, interval '1' day day, extract(day FROM day) FROM day",
        "SELECT date '1995-03-15' + interval '1' day, extract(year FROM d) FROM t",
        "SELECT substring(x FROM 1 FOR 2), trim(BOTH ' ' FROM x), position('a' IN x) FROM t",
        "SELECT count(*), count(DISTINCT a) FILTER (WHERE b) FROM t GROUP BY ROLLUP (a, b)",
      })
  void parsesQueries(String sql) {
    only(ParsedStatement.Query.class, sql);
  }

  @Test
  void aPathHasItsStemAsAlias() {
    ParsedText text = SqlTextParser.parse("SELECT rain.a FROM 'data/rain.lance/'");
    assertTrue(
        ((ParsedStatement.Query) text.statements().getFirst())
            .query()
            .toString()
            .contains("`rain`"));
  }

  @Test
  void readsPathsFunctionsAndVersions() {
    List<TableReferences.SqlTableReference> found =
        references(
            "SELECT * FROM 'a.lance' VERSION AS OF 3, read_csv('b', header => true), c TAG AS OF"
                + " :t");
    assertEquals(3, found.size());
    assertEquals(new TableReferences.Source.Path("a.lance"), found.get(0).source());
    assertEquals(TableReferences.VersionKind.VERSION, found.get(0).version().orElseThrow().kind());
    TableReferences.Source.Function function =
        assertInstanceOf(TableReferences.Source.Function.class, found.get(1).source());
    assertEquals("read_csv", function.name());
    assertEquals(2, function.arguments().size());
    assertEquals(new TableReferences.Source.Name(List.of("c")), found.get(2).source());
    assertEquals(":t", found.get(2).version().orElseThrow().value().toString());
  }

  @Test
  void aParameterUsedTwiceHasOneIndex() {
    ParsedText text = SqlTextParser.parse("SELECT :q, :date, :q");
    assertEquals(List.of("q", "date"), text.namedParameters().names());
  }

  @Test
  void keepsGroupsFrames() {
    ParsedStatement.Query query =
        only(
            ParsedStatement.Query.class,
            "SELECT sum(x) OVER (ORDER BY y GROUPS 2 PRECEDING) FROM t");
    List<SqlNode> windows = new ArrayList<>();
    query
        .query()
        .accept(
            new SqlBasicVisitor<Void>() {
              @Override
              public Void visit(SqlCall call) {
                if (call instanceof FrameWindow) {
                  windows.add(call);
                }
                return super.visit(call);
              }
            });
    assertEquals(1, windows.size());
  }

  @Test
  void readsCreateStatements() {
    ParsedStatement.CreateTableAs table =
        only(ParsedStatement.CreateTableAs.class, "CREATE OR REPLACE TABLE Mixed AS SELECT 1 AS a");
    assertEquals("Mixed", table.name().toString());
    assertTrue(table.replace());
    ParsedStatement.CreateView view =
        only(ParsedStatement.CreateView.class, "create view if not exists v as select 1");
    assertTrue(view.ifNotExists());
    assertEquals(
        Optional.of("x.jar"),
        only(
                ParsedStatement.CreateFunction.class,
                "CREATE FUNCTION f AS 'com.example.F' USING JAR 'x.jar'")
            .jar());
  }

  @Test
  void readsCopyWithItsOptions() {
    ParsedStatement.Copy copy =
        only(
            ParsedStatement.Copy.class,
            "COPY (SELECT * FROM t) TO 'x.csv' (FORMAT csv, header true, delimiter => '|')");
    assertEquals("x.csv", copy.target());
    assertEquals(
        List.of("FORMAT", "header", "delimiter"),
        copy.options().stream().map(ParsedStatement.Option::name).toList());
    only(ParsedStatement.Copy.class, "COPY t TO 'x.parquet'");
  }

  @Test
  void readsOtherStatements() {
    only(ParsedStatement.Insert.class, "INSERT INTO t (a, b) SELECT 1, 2");
    only(ParsedStatement.Insert.class, "INSERT INTO 'x.lance' SELECT 1");
    assertEquals(
        "batch.rows", only(ParsedStatement.SetSetting.class, "SET batch.rows = 100").key());
    only(ParsedStatement.SetSetting.class, "SET deterministic = true");
    only(ParsedStatement.SetSetting.class, "RESET memory.limit");
    assertEquals(
        ParsedStatement.ShowKind.TABLES,
        only(ParsedStatement.Show.class, "SHOW TABLES LIKE 'a%'").kind());
    assertEquals(
        ParsedStatement.ShowKind.COLUMNS,
        only(ParsedStatement.Show.class, "SHOW COLUMNS FROM 'x.parquet'").kind());
    assertEquals(
        Optional.of("batch.rows"), only(ParsedStatement.Show.class, "SHOW batch.rows").key());
    only(ParsedStatement.Show.class, "SHOW TABLE HEALTH t");
    only(ParsedStatement.Describe.class, "DESCRIBE t");
    only(ParsedStatement.Describe.class, "DESCRIBE SELECT 1");
    only(ParsedStatement.Describe.class, "DESCRIBE read_parquet('x')");
    only(ParsedStatement.Drop.class, "DROP TABLE IF EXISTS t");
    assertTrue(only(ParsedStatement.Explain.class, "EXPLAIN ANALYZE SELECT 1").analyze());
    assertEquals(
        ParsedStatement.ExplainPhase.STAGES,
        only(ParsedStatement.Explain.class, "EXPLAIN STAGES SELECT 1").phase());
    only(ParsedStatement.Explain.class, "EXPLAIN COPY t TO 'x.csv'");
  }

  @Test
  void readsSeveralStatements() {
    assertEquals(
        3,
        SqlTextParser.parse("SELECT 1; SET a.b = 'c'; -- note\n SELECT ';' ;").statements().size());
    assertEquals(0, SqlTextParser.parse("-- nothing\n").statements().size());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "int | int32",
        "bigint unsigned | uint64",
        "tinyint | int8",
        "float | float32",
        "double precision | float64",
        "decimal(12, 2) | decimal(12, 2)",
        "numeric(5) | decimal(5, 0)",
        "varchar(20) | string",
        "character varying | string",
        "timestamp | timestamp(6)",
        "timestamp(9, 'Europe/Berlin') | timestamp(9, 'Europe/Berlin')",
        "timestamp with time zone | timestamp(6, 'UTC')",
        "interval | interval",
        "binary(16) | binary(16)",
        "bytea | binary",
        "int[] | list<int32>",
        "float32[3] | list<float32, 3>",
        "list<double precision> | list<float64>",
        "embedding<float32, 128> | embedding<float32, 128>",
        "embedding(float16, 4) | embedding<float16, 4>",
        "struct<a int32, b list<string>> | struct<a int32, b list<string>>",
        "row(a int, b date) | struct<a int32, b date>",
        "map<string, int64> | map<string, int64>",
        "image('RGB', 224, 224) | image('RGB', 224, 224)",
        "tensor<float32, 3, 4> | tensor<float32, 3, 4>",
        "file('image') | file('image')",
        "varchar array | list<string>",
      })
  void readsTypes(String written, String type) {
    ParsedStatement.Query query =
        only(ParsedStatement.Query.class, "SELECT CAST(x AS " + written + ")");
    List<SqlDataTypeSpec> specs = new ArrayList<>();
    query
        .query()
        .accept(
            new SqlBasicVisitor<Void>() {
              @Override
              public Void visit(SqlDataTypeSpec spec) {
                specs.add(spec);
                return null;
              }
            });
    assertEquals(type, TypeNameSpec.dataType(specs.getFirst().getTypeNameSpec()).toString());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SELECT FROM t | SYNTAX_ERROR | (line 1, column 8)",
        "SELECT a,\\n"
            + "  b FROM WHERE x | SYNTAX_ERROR | at 'WHERE'; expected LATERAL, TABLE, a text in"
            + " quotes (line 2, column 10)",
        "SELECT 'abc | SYNTAX_ERROR | (line 1, column 8)",
        "SELECT CAST(x AS dubble) | UNSUPPORTED_TYPE | did you mean 'double'",
        "SELECT CAST(x AS decimal(50, 2)) | UNSUPPORTED_TYPE | (line 1, column 18)",
        "COPY t 'x' | SYNTAX_ERROR | (line 1, column 8)",
        "SELECT a FROM t GROUP BY | SYNTAX_ERROR | at the end of the text",
        "SELECT 1 SELECT 2 | SYNTAX_ERROR | column 10",
        "DELETE FROM t | UNSUPPORTED_SQL | delete",
      })
  void refusesWithPlace(String sql, ErrorCode code, String part) {
    MillraceException failure =
        assertThrows(MillraceException.class, () -> SqlTextParser.parse(sql.replace("\\n", "\n")));
    assertEquals(code, failure.code(), failure.getMessage());
    assertTrue(failure.getMessage().contains(part), failure.getMessage());
  }
}
