package io.millrace.examples.album;

import static io.millrace.core.expr.Columns.call;
import static io.millrace.core.expr.Columns.col;
import static io.millrace.planner.dataframe.JoinOn.on;

import io.millrace.core.expr.Column;
import io.millrace.core.udf.UserFunction;
import io.millrace.examples.classify.EfficientNet;
import io.millrace.examples.classify.PhotoClassifier;
import io.millrace.planner.dataframe.DataFrame;
import io.millrace.planner.dataframe.Session;
import java.util.Map;

/** The queries of the example. Nothing runs before the DataFrames are written or read. */
public final class AlbumJob {
  private static final int NEIGHBOUR_COUNT = 6;
  private static final int SIDE = EfficientNet.SIDE_PIXELS;

  private AlbumJob() {}

  /** The samples with their photos' bytes: what the Lance table is made of. */
  public static DataFrame samples(Session session, AlbumFiles files) {
    Column fileName = call("replace", col("path"), files.photoFolder(), "");
    DataFrame photos =
        session
            .read()
            .files(files.photos())
            .select(fileName.as("file_name"), col("content").as("photo"));
    return session
        .read()
        .csv(files.samples())
        .join(photos, on("file_name"))
        .select("sample_id", "caption", "setting", "weather", "photo");
  }

  /**
   * The labelled indoor photos with what the model says about them. Photos that the filter or the
   * join drops are never read.
   *
   * @param table the Lance table of {@link #samples}
   */
  public static DataFrame predictions(Session session, AlbumFiles files, String table) {
    UserFunction classify = PhotoClassifier.function();
    Column prediction = col("prediction");
    return session
        .read()
        .lance(table)
        .where(col("setting").eq("indoors"))
        .join(session.read().parquet(files.labels()), on("sample_id"))
        .withColumn("pixels", col("photo").decodeImage().resize(SIDE, SIDE))
        .withColumn("prediction", classify.apply(col("pixels")))
        .select(
            col("sample_id"),
            col("caption"),
            col("subject"),
            prediction.field("label").as("label"),
            prediction.field("probability").as("probability"),
            prediction.field("embedding").as("embedding"));
  }

  /**
   * The photos most like a given one, nearest first.
   *
   * @param table the Lance table that {@link #predictions} was written to
   * @param embedding of the photo that is looked for
   */
  public static DataFrame neighbours(Session session, String table, float[] embedding) {
    String nearest =
        "SELECT sample_id, caption, label, l2_distance(embedding, :q) AS distance FROM '"
            + table.replace("'", "''")
            + "' ORDER BY distance LIMIT "
            + NEIGHBOUR_COUNT;
    return session.sql(nearest, Map.of("q", embedding));
  }
}
