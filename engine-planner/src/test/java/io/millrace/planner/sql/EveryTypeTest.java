package io.millrace.planner.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.planner.logical.IdlePlanner;
import io.millrace.planner.type.MillraceTypeFactory;
import io.millrace.planner.type.SampleTypes;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** CASE, COALESCE, UNION, CAST, GROUP BY and ARRAY over every type keep the type as it is. */
class EveryTypeTest {

  private static List<DataType> everyType() {
    return SampleTypes.all();
  }

  private static DataType typeOf(DataType column, String sql) {
    TestCatalog catalog =
        new TestCatalog()
            .table("t", Field.nullable("x", column), Field.required("n", DataType.INT32));
    SqlStatement statement =
        SqlScript.bindOnly(sql, catalog, IdlePlanner.cluster(new MillraceTypeFactory()), Map.of());
    return statement.source().orElseThrow().schema().field(0).type();
  }

  @ParameterizedTest
  @MethodSource("everyType")
  void select(DataType type) {
    assertEquals(type, typeOf(type, "SELECT x FROM t WHERE x IS NOT NULL"));
  }

  @ParameterizedTest
  @MethodSource("everyType")
  void caseWithoutElse(DataType type) {
    assertEquals(
        type, typeOf(type, "SELECT CASE WHEN n > 1 THEN x WHEN n > 2 THEN NULL END FROM t"));
  }

  @ParameterizedTest
  @MethodSource("everyType")
  void coalesce(DataType type) {
    assertEquals(type, typeOf(type, "SELECT COALESCE(NULL, x, x) FROM t"));
  }

  @ParameterizedTest
  @MethodSource("everyType")
  void union(DataType type) {
    assertEquals(type, typeOf(type, "SELECT x FROM t UNION ALL SELECT NULL UNION SELECT x FROM t"));
  }

  @ParameterizedTest
  @MethodSource("everyType")
  void castToItself(DataType type) {
    boolean written = !(type instanceof DataType.Reference) && isWritable(type);
    if (written) {
      String column = "SELECT CAST(x AS " + type + "), TRY_CAST(x AS " + type + ") FROM t";
      assertEquals(type.toString(), typeOf(type, column).toString());
    }
  }

  /** Nullability inside a struct and element names have no place in the text form. */
  private static boolean isWritable(DataType type) {
    return !(type instanceof DataType.Null);
  }

  @ParameterizedTest
  @MethodSource("everyType")
  void groupBy(DataType type) {
    assertEquals(type, typeOf(type, "SELECT x, count(*) FROM t GROUP BY x HAVING count(*) > 1"));
    assertEquals(type, typeOf(type, "SELECT DISTINCT x FROM t"));
  }

  @ParameterizedTest
  @MethodSource("everyType")
  void array(DataType type) {
    assertEquals(DataType.list(type), typeOf(type, "SELECT ARRAY[x, NULL, x] FROM t"));
    assertEquals(type, typeOf(type, "SELECT ARRAY[x][1] FROM t"));
  }

  @ParameterizedTest
  @MethodSource("everyType")
  void joinAndSubquery(DataType type) {
    assertEquals(
        type,
        typeOf(
            type, "SELECT b.x FROM t a LEFT JOIN (SELECT x, n FROM t ORDER BY n) b ON a.x = b.x"));
    assertEquals(type, typeOf(type, "SELECT x FROM t WHERE x IN (SELECT x FROM t)"));
  }
}
