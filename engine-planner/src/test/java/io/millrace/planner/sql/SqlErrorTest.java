package io.millrace.planner.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.planner.logical.IdlePlanner;
import io.millrace.planner.type.MillraceTypeFactory;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is wrong is said with its code, the nearest names and its place. */
class SqlErrorTest {
  private static final TestCatalog CATALOG =
      new TestCatalog()
          .table(
              "photos",
              Field.required("id", DataType.INT64),
              Field.nullable("caption", DataType.STRING),
              Field.nullable("image", DataType.BINARY),
              Field.nullable("embedding", DataType.embedding(DataType.FLOAT32, 3)))
          .table("labels", Field.required("id", DataType.INT64));

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SELECT captoin FROM photos | UNKNOWN_COLUMN | did you mean 'caption'? (line 1, column 8)",
        "SELECT p.nope FROM photos p | UNKNOWN_COLUMN | (line 1, column 10)",
        "SELECT x.id FROM photos p | UNKNOWN_TABLE | 'x' (line 1, column 8)",
        "SELECT 1 FROM photo | UNKNOWN_TABLE | did you mean 'photos'? (line 1, column 15)",
        "SELECT 1 FROM photos.parquet | UNKNOWN_TABLE | put paths in single quotes",
        "SELECT uper(caption) FROM photos | UNKNOWN_FUNCTION | did you mean 'upper'?",
        "SELECT sum(caption) FROM photos | TYPE_MISMATCH | (line 1, column 8)",
        "SELECT caption + 1 FROM photos | TYPE_MISMATCH | add(string, int32)",
        "SELECT 1 FROM photos WHERE id | TYPE_MISMATCH | WHERE",
        "SELECT decode_image(image, on_eror => 'null') FROM photos | UNKNOWN_OPTION | 'on_error'",
        "SELECT decode_image(caption) FROM photos | TYPE_MISMATCH | decode_image(string)",
        "SELECT id FROM photos, labels | AMBIGUOUS_NAME | 'id'",
        "SELECT caption, count(*) FROM photos | UNSUPPORTED_SQL | 'caption' is not being grouped",
        "SELECT id FROM photos UNION SELECT caption FROM photos | TYPE_MISMATCH | UNION",
        "SELECT 1 UNION SELECT 1, 2 | UNSUPPORTED_SQL | column",
        "SELECT CASE WHEN id > 1 THEN id ELSE image END FROM photos | TYPE_MISMATCH | CASE",
        "SELECT :missing | MISSING_PARAMETER | --param missing=JSON",
        "SELECT :broken | INVALID_ARGUMENT | is not JSON",
        "SELECT id FROM photos LIMIT :half | TYPE_MISMATCH | :half",
        "INSERT INTO labels SELECT caption FROM photos | TYPE_MISMATCH | id is int64",
        "INSERT INTO labels SELECT 1, 2 | TYPE_MISMATCH | 2 for 1",
        "INSERT INTO labels (idd) SELECT 1 | UNKNOWN_COLUMN | did you mean 'id'?",
        "INSERT INTO label SELECT 1 | UNKNOWN_TABLE | did you mean 'labels'?",
        "COPY photos TO 'x.csv' (header true, HEADER false) | DUPLICATE_NAME | HEADER",
        "SELECT DISTINCT upper(DISTINCT caption) FROM photos | INVALID_ARGUMENT | DISTINCT",
        "SELECT interval 'x' day | MALFORMED_VALUE | (line 1, column 8)",
        "SELECT * FROM read_csv('labels') AS r, photos VERSION AS OF 'x' | INVALID_ARGUMENT | whole"
            + " number",
      })
  void names(String sql, String code, String part) {
    MillraceException failure =
        assertThrows(
            MillraceException.class,
            () ->
                SqlScript.bindOnly(
                    sql,
                    CATALOG,
                    IdlePlanner.cluster(new MillraceTypeFactory()),
                    Map.of("broken", "rain", "half", "0.5")));
    assertEquals(code, failure.code().name(), failure.getMessage());
    assertTrue(failure.getMessage().contains(part), failure.getMessage());
    assertEquals(1, ErrorCode.valueOf(code).category().exitCode());
  }
}
