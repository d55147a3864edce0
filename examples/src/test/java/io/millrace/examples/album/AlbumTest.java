package io.millrace.examples.album;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.millrace.planner.dataframe.Row;
import io.millrace.planner.dataframe.Session;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example's job in this process, on its committed data. */
class AlbumTest {
  private static final AlbumFiles FILES = new AlbumFiles(Path.of("data/photo-album"));

  /** Indoor samples that have a label. */
  private static final int PREDICTION_COUNT = 14;

  private static final int PHOTO_COUNT = 35;

  @TempDir Path folder;

  @Test
  void classifiesTheIndoorPhotosAndReadsNoOther() {
    try (Session session = Session.local()) {
      Album album = new Album(FILES, folder.resolve("photos.lance").toString());
      assertEquals(PHOTO_COUNT, album.create(session));

      AlbumRun run = album.run(session, folder.resolve("result.lance").toString());

      assertEquals(PREDICTION_COUNT, run.predictions().size());
      assertLabelsAreRight(run.predictions(), album.acceptedLabels(session));
      assertEquals(PREDICTION_COUNT, run.fetchedPhotos());
      assertTrue(run.fetchedBytes() < album.photoBytes(session) / 2, run.toString());
      assertTrue(run.modelLoads() >= 1, run.toString());
      assertCatsAreNearestToTheCat(run.neighbours());
    }
  }

  private static void assertLabelsAreRight(List<Row> predictions, List<Row> accepted) {
    Map<Long, List<?>> labels =
        accepted.stream()
            .collect(
                Collectors.toMap(
                    row -> row.longValue("sample_id"),
                    row -> (List<?>) row.value("accepted_labels")));
    int checked = 0;
    for (Row row : predictions) {
      List<?> right = labels.get(row.longValue("sample_id"));
      if (right != null) {
        assertTrue(right.contains(row.text("label")), row + " of " + right);
        checked++;
      }
    }
    assertEquals(PREDICTION_COUNT - 1, checked, "all but the astronaut have a known answer");
  }

  private static void assertCatsAreNearestToTheCat(List<Row> neighbours) {
    assertEquals(Album.QUERY_SAMPLE, neighbours.getFirst().longValue("sample_id"));
    assertEquals(0, neighbours.getFirst().doubleValue("distance"), 1e-5);
    for (Row row : neighbours) {
      assertTrue(row.text("caption").contains("cat"), row.toString());
    }
  }
}
