package io.millrace.integration.media;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import io.millrace.planner.dataframe.Session;
import io.millrace.planner.dataframe.StatementResult;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * One photo of forty is damaged: the error names its file, and its row unless the file is the row,
 * wherever the row went before it was decoded.
 */
final class CorruptPhotoTest {
  private static final int PHOTOS = 40;
  private static final int DAMAGED = 17;
  private static final String LOCAL = "one process";
  private static final String WORKERS = "two workers";
  private static final Schema TABLE =
      Schema.of(
          Field.required("id", DataType.INT64),
          Field.nullable("weather", DataType.STRING),
          Field.nullable("photo", DataType.BINARY));

  @TempDir private static Path folder;

  private static Map<String, Session> sessions;

  @BeforeAll
  static void write() throws IOException {
    sessions = Map.of(LOCAL, Session.local(), WORKERS, Session.connect("workers://2"));
    Files.createDirectories(folder.resolve("photos"));
    List<List<Object>> rows = new ArrayList<>();
    for (int id = 0; id < PHOTOS; id++) {
      byte[] photo = photo(id);
      if (id == DAMAGED) {
        photo = java.util.Arrays.copyOf(photo, photo.length / 2);
      }
      Files.write(folder.resolve("photos/" + id + ".png"), photo);
      rows.add(List.of((long) id, id % 2 == 1 ? "rain" : "sun", photo));
    }
    Session session = sessions.get(LOCAL);
    session.fromRows(TABLE, rows).write().parquet(folder.resolve("photos.parquet").toString());
    session.fromRows(TABLE, rows).write().lance(folder.resolve("photos.lance").toString());
    session
        .fromRows(TABLE, rows)
        .select("id", "weather")
        .write()
        .parquet(folder.resolve("labels.parquet").toString());
  }

  @AfterAll
  static void close() {
    sessions.values().forEach(Session::close);
  }

  private static byte[] photo(int id) throws IOException {
    BufferedImage image = new BufferedImage(64, 48, BufferedImage.TYPE_INT_RGB);
    for (int x = 0; x < 64; x++) {
      for (int y = 0; y < 48; y++) {
        image.setRGB(x, y, x * 7919 * (id + 1) ^ y * 104729);
      }
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ImageIO.write(image, "png", bytes);
    return bytes.toByteArray();
  }

  private static void fails(String where, String sql, String... named) {
    MillraceException failure =
        assertThrows(MillraceException.class, () -> rows(where, sql), where + ": " + sql);
    assertEquals(ErrorCode.IMAGE_DECODE_FAILED, failure.code(), failure.getMessage());
    for (String part : named) {
      assertTrue(failure.getMessage().contains(part), where + ": " + failure.getMessage());
    }
  }

  private static long rows(String where, String sql) {
    String text = sql.replace("DIR", folder.toString());
    return switch (sessions.get(where).execute(text, Map.of())) {
      case StatementResult.Rows rows -> rows.rows().collect().size();
      case StatementResult.Done done -> 0;
    };
  }

  @ParameterizedTest
  @ValueSource(strings = {LOCAL, WORKERS})
  void aFileOfAFolderIsNamed(String where) {
    fails(where, "SELECT path, image FROM read_images('DIR/photos/*.png')", "photos/17.png");
    fails(
        where,
        "SELECT decode_image(content) FROM read_files('DIR/photos/*.png') WHERE size > 10",
        "photos/17.png");
    fails(
        where,
        "SELECT count(resize(decode_image(f.content), 8, 8)) FROM read_files('DIR/photos/*.png') f"
            + " JOIN 'DIR/labels.parquet' l ON f.path LIKE '%/' || CAST(l.id AS VARCHAR) || '.png'"
            + " WHERE l.weather = 'rain'",
        "photos/17.png");
  }

  @ParameterizedTest
  @ValueSource(strings = {LOCAL, WORKERS})
  void aRowOfALanceTableIsNamed(String where) {
    fails(where, "SELECT decode_image(photo) FROM 'DIR/photos.lance'", "photos.lance row 17");
    fails(
        where,
        "SELECT decode_image(photo) FROM 'DIR/photos.lance' WHERE id >= 10 AND weather = 'rain'",
        "photos.lance row 17");
    fails(
        where,
        "SELECT l.id, decode_image(p.photo) FROM 'DIR/labels.parquet' l"
            + " JOIN 'DIR/photos.lance' p ON l.id = p.id WHERE l.weather = 'rain'"
            + " ORDER BY l.id DESC LIMIT 15",
        "photos.lance row 17");
  }

  @ParameterizedTest
  @ValueSource(strings = {LOCAL, WORKERS})
  void aRowOfAParquetFileIsNamed(String where) {
    fails(
        where, "SELECT decode_image(photo) FROM 'DIR/photos.parquet'", "photos.parquet", "row 17");
    fails(
        where,
        "SELECT decode_image(photo) FROM 'DIR/photos.parquet' WHERE id >= 10 AND weather = 'rain'",
        "photos.parquet",
        "row 17");
    fails(
        where,
        "SELECT l.id, decode_image(p.photo) FROM 'DIR/photos.parquet' p"
            + " JOIN 'DIR/labels.parquet' l ON l.id = p.id WHERE l.weather = 'rain'"
            + " ORDER BY l.id DESC LIMIT 15",
        "photos.parquet",
        "row 17");
  }

  @ParameterizedTest
  @ValueSource(strings = {LOCAL, WORKERS})
  void nullInPlaceOfAnError(String where) {
    assertEquals(
        1,
        rows(
            where,
            "SELECT id FROM 'DIR/photos.lance'"
                + " WHERE decode_image(photo, on_error => 'null') IS NULL"));
  }
}
