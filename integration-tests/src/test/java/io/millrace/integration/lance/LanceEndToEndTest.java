package io.millrace.integration.lance;

import static io.millrace.core.expr.Columns.col;
import static io.millrace.planner.dataframe.JoinOn.on;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.core.batch.Batch;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.metrics.OperatorProfile;
import io.millrace.core.metrics.QueryProfile;
import io.millrace.core.spi.ResultStream;
import io.millrace.core.spi.WriteMode;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import io.millrace.planner.dataframe.DataFrame;
import io.millrace.planner.dataframe.Row;
import io.millrace.planner.dataframe.Session;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LanceEndToEndTest {
  private static final Schema SAMPLES =
      Schema.of(
          Field.required("sample_id", DataType.INT64),
          Field.nullable("weather", DataType.STRING),
          Field.nullable("photo", DataType.BINARY));
  private static final int ROWS = 400;
  private static final int PHOTO_BYTES = 50_000;

  @TempDir private Path folder;

  private static byte[] photo(long id) {
    byte[] bytes = new byte[PHOTO_BYTES];
    new Random(id).nextBytes(bytes);
    return bytes;
  }

  private String samples(Session session) {
    List<List<Object>> rows = new ArrayList<>();
    for (long id = 0; id < ROWS; id++) {
      rows.add(Arrays.asList(id, id % 4 == 0 ? "rain" : "sun", id % 10 == 9 ? null : photo(id)));
    }
    String uri = folder.resolve("samples.lance").toString();
    assertEquals(ROWS, session.fromRows(SAMPLES, rows).write().lance(uri));
    return uri;
  }

  private static QueryProfile drain(DataFrame frame, List<List<Object>> into) {
    try (ResultStream stream = frame.stream()) {
      for (Optional<Batch> next = stream.next(); next.isPresent(); next = stream.next()) {
        try (Batch batch = next.get()) {
          for (int row = 0; row < batch.rowCount(); row++) {
            List<Object> values = new ArrayList<>();
            for (int column = 0; column < batch.columnCount(); column++) {
              values.add(batch.valueAt(column, row));
            }
            into.add(values);
          }
        }
      }
      return stream.profile();
    }
  }

  @Test
  void aJoinFetchesOnlyThePhotosOfTheRowsThatSurviveIt() {
    try (Session session = Session.local()) {
      String uri = samples(session);
      DataFrame labels =
          session.values(
              List.of("sample_id", "label"),
              new Object[] {8L, "tree"},
              new Object[] {9L, "house"},
              new Object[] {12L, "car"},
              new Object[] {396L, "dog"},
              new Object[] {5_000L, "none"});
      DataFrame joined =
          session
              .read()
              .lance(uri)
              .where(col("weather").eq("rain"))
              .join(labels, on("sample_id"))
              .select("sample_id", "label", "photo")
              .sort("sample_id");
      List<List<Object>> rows = new ArrayList<>();
      QueryProfile profile = drain(joined, rows);
      assertEquals(List.of(8L, 12L, 396L), rows.stream().map(List::getFirst).toList());
      for (List<Object> row : rows) {
        assertArrayEquals(photo((Long) row.getFirst()), (byte[]) row.get(2));
      }
      long fetchedRows = profile.operators().stream().mapToLong(OperatorProfile::fetchedRows).sum();
      long fetchedBytes =
          profile.operators().stream().mapToLong(OperatorProfile::fetchedBytes).sum();
      assertEquals(3, fetchedRows);
      assertEquals(3L * PHOTO_BYTES, fetchedBytes);
    }
  }

  @Test
  void aQueryThatReadsNoPhotoFetchesNone() {
    try (Session session = Session.local()) {
      String uri = samples(session);
      List<List<Object>> rows = new ArrayList<>();
      QueryProfile profile =
          drain(session.read().lance(uri).where(col("sample_id").lt(7)).select("sample_id"), rows);
      assertEquals(7, rows.size());
      assertEquals(0, profile.operators().stream().mapToLong(OperatorProfile::fetchedRows).sum());
      assertEquals(ROWS, session.read().lance(uri).count());
    }
  }

  @Test
  void aWholeTableIsCopiedWithItsPhotos() {
    try (Session session = Session.local()) {
      String uri = samples(session);
      String copy = folder.resolve("copy.lance").toString();
      session.read().lance(uri).where(col("sample_id").lt(100)).write().lance(copy);
      session
          .read()
          .lance(uri)
          .where(col("sample_id").ge(100))
          .write()
          .mode(WriteMode.APPEND)
          .lance(copy);
      List<Row> rows = session.read().lance(copy).sort("sample_id").collect();
      assertEquals(ROWS, rows.size());
      for (int id = 0; id < ROWS; id++) {
        assertEquals((long) id, rows.get(id).value(0));
        if (id % 10 == 9) {
          assertEquals(null, rows.get(id).value(2));
        } else {
          assertArrayEquals(photo(id), (byte[]) rows.get(id).value(2));
        }
      }
    }
  }

  @Test
  void sqlReadsATableByItsPathAndAtAVersion() {
    try (Session session = Session.local()) {
      String uri = samples(session);
      session
          .fromRows(SAMPLES, List.of(Arrays.asList(1_000L, "fog", null)))
          .write()
          .mode(WriteMode.APPEND)
          .lance(uri);
      assertEquals(
          401L,
          session.sql("SELECT count(*) AS n FROM '" + uri + "'").collect().getFirst().value(0));
      assertEquals(
          400L,
          session
              .sql("SELECT count(*) AS n FROM read_lance('" + uri + "', version => 1)")
              .collect()
              .getFirst()
              .value(0));
    }
  }

  @Test
  void aWriteThatFailsLeavesNoTable() {
    try (Session session = Session.local()) {
      String uri = samples(session);
      String out = folder.resolve("out.lance").toString();
      DataFrame fails =
          session.read().lance(uri).select(col("sample_id").plus(Long.MAX_VALUE - 100).as("x"));
      assertThrows(MillraceException.class, () -> fails.write().lance(out));
      assertTrue(Files.notExists(Path.of(out)));
      MillraceException exists =
          assertThrows(
              MillraceException.class,
              () -> session.read().lance(uri).write().mode(WriteMode.CREATE).lance(uri));
      assertEquals(ErrorCode.TABLE_EXISTS, exists.code());
    }
  }
}
