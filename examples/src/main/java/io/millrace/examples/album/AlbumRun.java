package io.millrace.examples.album;

import io.millrace.planner.dataframe.Row;
import java.util.Arrays;
import java.util.List;

/**
 * What one run of the job gave and cost.
 *
 * @param predictions in order of sample_id
 * @param neighbours nearest first
 * @param modelLoads models that were loaded, over all workers
 * @param fetchedPhotos photos whose bytes were read
 * @param fetchedBytes bytes of these photos
 * @param millis wall time of the job and the search
 */
public record AlbumRun(
    List<Row> predictions,
    List<Row> neighbours,
    long modelLoads,
    long fetchedPhotos,
    long fetchedBytes,
    long millis) {

  public AlbumRun {
    predictions = List.copyOf(predictions);
    neighbours = List.copyOf(neighbours);
  }

  /** Whether both runs gave the same rows, embeddings included. */
  public boolean agreesWith(AlbumRun other) {
    return same(predictions, other.predictions) && same(neighbours, other.neighbours);
  }

  private static boolean same(List<Row> left, List<Row> right) {
    return Arrays.deepEquals(cells(left), cells(right));
  }

  private static Object[] cells(List<Row> rows) {
    return rows.stream().map(row -> row.values().toArray()).toArray();
  }
}
