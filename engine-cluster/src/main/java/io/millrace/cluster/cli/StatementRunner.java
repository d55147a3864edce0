package io.millrace.cluster.cli;

import io.millrace.core.batch.Batch;
import io.millrace.core.metrics.QueryProfile;
import io.millrace.core.spi.ResultStream;
import io.millrace.planner.dataframe.DataFrame;
import io.millrace.planner.dataframe.Statement;
import io.millrace.planner.dataframe.StatementResult;
import java.io.IOException;
import java.io.PrintStream;
import java.util.Optional;

/** Runs statements, each as often as asked, prints the rows of the last run and measures all. */
final class StatementRunner {
  private final RowOutput output;
  private final PrintStream err;
  private final boolean progress;
  private final Measurements measurements;

  /**
   * A runner.
   *
   * @param err gets counts of writes, and progress
   * @param progress whether progress may be shown
   */
  StatementRunner(RowOutput output, PrintStream err, boolean progress, Measurements measurements) {
    this.output = output;
    this.err = err;
    this.progress = progress;
    this.measurements = measurements;
  }

  /**
   * Runs a statement.
   *
   * @param number its place in the text, from 1
   * @param repeat runs, at least 1; each is planned anew
   */
  void run(Statement statement, int number, int repeat) throws IOException {
    QueryProfile profile = QueryProfile.EMPTY;
    for (int run = 1; run <= repeat; run++) {
      long start = System.nanoTime();
      profile =
          switch (statement.execute()) {
            case StatementResult.Rows(DataFrame rows) ->
                runQuery(rows, start, number, run, run == repeat);
            case StatementResult.Done done -> {
              measurements.timing(number, run, 0, System.nanoTime() - start, done.rows());
              if (run == repeat) {
                printDone(done);
              }
              yield done.profile();
            }
          };
    }
    measurements.profile(number, profile);
  }

  private QueryProfile runQuery(DataFrame frame, long start, int number, int run, boolean print)
      throws IOException {
    try (ResultStream stream = frame.stream();
        ProgressLine line = progressOf(stream)) {
      long planned = System.nanoTime();
      long rows = 0;
      if (print) {
        output.writer().begin(stream.schema());
      }
      for (Optional<Batch> next = stream.next(); next.isPresent(); next = stream.next()) {
        try (Batch batch = next.get()) {
          rows += batch.rowCount();
          if (print) {
            output.writer().write(batch);
          }
        }
      }
      measurements.timing(number, run, planned - start, System.nanoTime() - planned, rows);
      if (print) {
        output.writer().end();
      }
      return stream.profile();
    }
  }

  /** The line that shows the query's progress; null when none is wanted. */
  private ProgressLine progressOf(ResultStream stream) {
    return progress ? ProgressLine.start(stream::profile, err) : null;
  }

  private void printDone(StatementResult.Done done) {
    boolean writes = done.rows() > 0 || !done.profile().operators().isEmpty();
    err.println(writes ? done.action() + ": " + done.rows() + " rows" : done.action());
  }
}
