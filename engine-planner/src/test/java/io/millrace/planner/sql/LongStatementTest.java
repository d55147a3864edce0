package io.millrace.planner.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.planner.logical.IdlePlanner;
import io.millrace.planner.type.MillraceTypeFactory;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rex.RexCall;
import org.junit.jupiter.api.Test;

/** Statements that programs write: long lists work, depth beyond the stack is a clear error. */
class LongStatementTest {

  private static SqlStatement bind(String sql) {
    return SqlScript.bindOnly(
        sql,
        new TestCatalog().table("t", Field.nullable("x", DataType.INT64)),
        IdlePlanner.cluster(new MillraceTypeFactory()),
        Map.of());
  }

  private static String repeated(int count, String separator, String text) {
    return IntStream.range(0, count)
        .mapToObj(index -> text.replace("#", String.valueOf(index)))
        .collect(Collectors.joining(separator));
  }

  @Test
  void chainsOfOrAreFlat() {
    SqlStatement statement = bind("SELECT x FROM t WHERE " + repeated(3000, " OR ", "x = #"));
    Filter filter = (Filter) statement.source().orElseThrow().rel().getInput(0);
    assertEquals(3000, ((RexCall) filter.getCondition()).getOperands().size());
  }

  @Test
  void longListsBind() {
    bind("SELECT x FROM t WHERE x IN (" + repeated(5000, ", ", "#") + ")");
    bind("VALUES " + repeated(2000, ", ", "(#, 'a')"));
    bind("SELECT " + repeated(1000, ", ", "x + # AS c#") + " FROM t");
  }

  @Test
  void deepStatementsBind() {
    bind("SELECT " + "(".repeat(500) + "x" + ")".repeat(500) + " FROM t");
    bind("SELECT " + "abs(".repeat(500) + "x" + ")".repeat(500) + " FROM t");
    bind("SELECT " + "(".repeat(500) + "x" + repeated(500, "", " + #)") + " FROM t");
    bind(
        "SELECT "
            + repeated(500, "", "CASE WHEN x = # THEN # ELSE ")
            + "0"
            + " END".repeat(500)
            + " FROM t");
  }

  @Test
  void tooMuchDepthIsAnError() {
    for (String sql :
        new String[] {
          "SELECT " + "(".repeat(20_000) + "1" + ")".repeat(20_000),
          "SELECT " + "abs(".repeat(20_000) + "1" + ")".repeat(20_000)
        }) {
      MillraceException failure = assertThrows(MillraceException.class, () -> bind(sql));
      assertEquals(ErrorCode.UNSUPPORTED_SQL, failure.code());
    }
  }
}
