package io.millrace.examples.album;

import static io.millrace.core.expr.Columns.col;

import io.millrace.core.metrics.OperatorProfile;
import io.millrace.core.spi.WriteMode;
import io.millrace.planner.dataframe.Row;
import io.millrace.planner.dataframe.Session;
import java.util.List;
import java.util.NoSuchElementException;

/**
 * Runs the queries of {@link AlbumJob} in a session.
 *
 * @param files the album
 * @param photoTable where the Lance table with the photos is
 */
public record Album(AlbumFiles files, String photoTable) {
  /** The photo whose neighbours are looked for: a tabby cat. */
  static final long QUERY_SAMPLE = 1006;

  /** Counted by the operator that runs user-defined functions. */
  private static final String LOADS = "udf_loads";

  /** Puts samples and photos into the Lance table; gives their number. */
  public long create(Session session) {
    return AlbumJob.samples(session, files).write().mode(WriteMode.OVERWRITE).lance(photoTable);
  }

  /** Bytes of all photos; a listing of files, which reads none of them. */
  public long photoBytes(Session session) {
    return session.read().files(files.photos()).select("size").collect().stream()
        .mapToLong(row -> row.longValue("size"))
        .sum();
  }

  /**
   * Classifies, writes, and searches what was written.
   *
   * @param resultTable the Lance table to write
   */
  public AlbumRun run(Session session, String resultTable) {
    long start = System.nanoTime();
    OperatorProfile totals =
        AlbumJob.predictions(session, files, photoTable)
            .write()
            .mode(WriteMode.OVERWRITE)
            .format("lance")
            .execute(resultTable)
            .profile()
            .totals();
    List<Row> predictions = session.read().lance(resultTable).sort("sample_id").collect();
    List<Row> neighbours =
        AlbumJob.neighbours(session, resultTable, embedding(predictions)).collect();
    return new AlbumRun(
        predictions,
        neighbours,
        totals.extra().getOrDefault(LOADS, 0L),
        totals.fetchedRows(),
        totals.fetchedBytes(),
        (System.nanoTime() - start) / 1_000_000);
  }

  /** The labels that are right for each sample, as rows of sample_id and accepted_labels. */
  public List<Row> acceptedLabels(Session session) {
    return session
        .read()
        .parquet(files.labels())
        .where(col("accepted_labels").isNotNull())
        .select("sample_id", "accepted_labels")
        .collect();
  }

  private static float[] embedding(List<Row> predictions) {
    return predictions.stream()
        .filter(row -> row.longValue("sample_id") == QUERY_SAMPLE)
        .map(row -> (float[]) row.value("embedding"))
        .findFirst()
        .orElseThrow(
            () -> new NoSuchElementException("The result lacks the sample: " + QUERY_SAMPLE));
  }
}
