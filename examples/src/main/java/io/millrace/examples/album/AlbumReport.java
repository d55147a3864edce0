package io.millrace.examples.album;

import io.millrace.planner.dataframe.Row;
import java.io.PrintStream;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Shows what the runs gave. */
final class AlbumReport {
  private static final int CAPTION_WIDTH = 48;

  private final PrintStream out;
  private final Map<Long, List<?>> accepted = new HashMap<>();
  private final long photoCount;
  private final long photoBytes;

  /**
   * @param acceptedLabels rows of sample_id and accepted_labels
   */
  AlbumReport(PrintStream out, List<Row> acceptedLabels, long photoCount, long photoBytes) {
    this.out = out;
    this.photoCount = photoCount;
    this.photoBytes = photoBytes;
    acceptedLabels.forEach(
        row -> accepted.put(row.longValue("sample_id"), (List<?>) row.value("accepted_labels")));
  }

  void predictions(AlbumRun run) {
    line(
        "  %-6s %-" + CAPTION_WIDTH + "s %-18s %11s  %s",
        "id",
        "caption",
        "label",
        "probability",
        "right");
    int right = 0;
    int known = 0;
    for (Row row : run.predictions()) {
      List<?> labels = accepted.get(row.longValue("sample_id"));
      String verdict = labels == null ? "-" : labels.contains(row.text("label")) ? "yes" : "no";
      known += labels == null ? 0 : 1;
      right += verdict.equals("yes") ? 1 : 0;
      line(
          "  %-6d %-" + CAPTION_WIDTH + "s %-18s %11.3f  %s",
          row.longValue("sample_id"),
          shortened(row.text("caption")),
          row.text("label"),
          row.doubleValue("probability"),
          verdict);
    }
    line("  %d of %d labels with a known answer are right", right, known);
  }

  void neighbours(AlbumRun run) {
    for (Row row : run.neighbours()) {
      line(
          "  %8.4f  %-6d %-" + CAPTION_WIDTH + "s %s",
          row.doubleValue("distance"),
          row.longValue("sample_id"),
          shortened(row.text("caption")),
          row.text("label"));
    }
  }

  void cost(AlbumRun run) {
    line(
        "  model loads: %d; image bytes fetched: %,d of %,d (%d of %d photos); %.1f s",
        run.modelLoads(),
        run.fetchedBytes(),
        photoBytes,
        run.fetchedPhotos(),
        photoCount,
        run.millis() / 1000.0);
  }

  void line(String format, Object... values) {
    out.println(String.format(Locale.ROOT, format, values).stripTrailing());
  }

  private static String shortened(String text) {
    return text.length() <= CAPTION_WIDTH ? text : text.substring(0, CAPTION_WIDTH - 1) + "…";
  }
}
