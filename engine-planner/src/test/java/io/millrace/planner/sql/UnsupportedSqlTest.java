package io.millrace.planner.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.core.error.MillraceException;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.planner.logical.IdlePlanner;
import io.millrace.planner.type.MillraceTypeFactory;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What Calcite's grammar reads and Millrace does not run: each has a code. */
class UnsupportedSqlTest {
  private static final TestCatalog CATALOG =
      new TestCatalog()
          .table(
              "t",
              Field.required("id", DataType.INT64),
              Field.nullable("name", DataType.STRING),
              Field.nullable("at", DataType.timestamp(io.millrace.core.type.TimeUnit.MICROSECOND)));

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SELECT * FROM t MATCH_RECOGNIZE (ORDER BY id MEASURES A.id AS x PATTERN (A) DEFINE A AS"
            + " A.id > 1) AS m | EXCLUDED_SQL",
        "SELECT CAST(name AS GEOMETRY) FROM t | EXCLUDED_SQL",
        "SELECT id + 1 AS MEASURE m FROM t | EXCLUDED_SQL",
        "DELETE FROM t WHERE id = 1 | UNSUPPORTED_SQL",
        "UPDATE t SET id = 1 | UNSUPPORTED_SQL",
        "MERGE INTO t USING t AS u ON t.id = u.id WHEN MATCHED THEN UPDATE SET id = 1 |"
            + " UNSUPPORTED_SQL",
      })
  void hasACode(String sql, String code) {
    MillraceException failure =
        assertThrows(
            MillraceException.class,
            () ->
                SqlScript.bindOnly(
                    sql, CATALOG, IdlePlanner.cluster(new MillraceTypeFactory()), Map.of()));
    assertEquals(code, failure.code().name(), failure.getMessage());
  }
}
