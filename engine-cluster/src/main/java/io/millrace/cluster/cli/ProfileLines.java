package io.millrace.cluster.cli;

import io.millrace.core.metrics.OperatorProfile;
import io.millrace.core.metrics.QueryProfile;
import io.millrace.core.text.JsonText;
import java.util.Locale;
import java.util.TreeMap;

/** The JSON lines of {@code --profile} and {@code --timings}. */
final class ProfileLines {
  private ProfileLines() {}

  /** What a statement's operators did; statements count from 1. */
  static String profile(int statement, QueryProfile profile) {
    StringBuilder line = new StringBuilder("{\"statement\":").append(statement);
    line.append(",\"operators\":[");
    boolean first = true;
    for (OperatorProfile operator : profile.operators()) {
      line.append(first ? "{" : ",{").append("\"id\":").append(operator.id()).append(",\"name\":");
      JsonText.appendString(line, operator.name());
      line.append(",\"stage\":").append(operator.stage());
      appendCounters(line, operator);
      line.append('}');
      first = false;
    }
    line.append("],\"totals\":{");
    int start = line.length();
    appendCounters(line, profile.totals());
    // The counters begin with a comma, which the first member of an object has not.
    line.deleteCharAt(start);
    line.append("},\"peak_bytes\":").append(profile.peakBytes()).append('}');
    return line.toString();
  }

  private static void appendCounters(StringBuilder line, OperatorProfile operator) {
    append(line, "rows_in", operator.rowsIn());
    append(line, "rows_out", operator.rowsOut());
    append(line, "bytes_in", operator.bytesIn());
    append(line, "bytes_out", operator.bytesOut());
    append(line, "read_bytes", operator.readBytes());
    append(line, "fetched_rows", operator.fetchedRows());
    append(line, "fetched_bytes", operator.fetchedBytes());
    append(line, "spill_bytes", operator.spillBytes());
    append(line, "shuffle_bytes", operator.shuffleBytes());
    append(line, "cpu_ms", operator.cpuMillis());
    append(line, "wall_ms", operator.wallMillis());
    append(line, "peak_bytes", operator.peakBytes());
    new TreeMap<>(operator.extra()).forEach((name, value) -> append(line, name, value));
  }

  private static void append(StringBuilder line, String name, long value) {
    line.append(',');
    JsonText.appendString(line, name);
    line.append(':').append(value);
  }

  /** The time of one run; statements and runs count from 1. */
  static String timing(int statement, int run, long planNanos, long execNanos, long rows) {
    return String.format(
        Locale.ROOT,
        "{\"statement\":%d,\"run\":%d,\"plan_ms\":%.3f,\"exec_ms\":%.3f,\"rows\":%d}",
        statement,
        run,
        planNanos / 1e6,
        execNanos / 1e6,
        rows);
  }
}
