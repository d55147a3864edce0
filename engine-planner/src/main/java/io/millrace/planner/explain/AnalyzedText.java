package io.millrace.planner.explain;

import io.millrace.core.metrics.OperatorProfile;
import io.millrace.core.metrics.QueryProfile;
import io.millrace.core.plan.PhysicalPlan;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.IntFunction;

/** A physical plan with what its operators did, for EXPLAIN ANALYZE. */
public final class AnalyzedText {
  private AnalyzedText() {}

  /**
   * One line a node, counters in brackets; those that are zero are left out.
   *
   * @param expected rows that a node was expected to give, by its id; those known
   */
  public static String of(
      PhysicalPlan plan, QueryProfile profile, IntFunction<OptionalDouble> expected) {
    Map<Integer, OperatorProfile> byId = new HashMap<>();
    profile.operators().forEach(one -> byId.merge(one.id(), one, OperatorProfile::plus));
    String tree =
        PhysicalText.of(
            plan,
            node -> {
              OperatorProfile known = byId.get(node.id());
              return known == null
                  ? ""
                  : "  (" + counters(known) + expectation(expected.apply(node.id())) + ")";
            });
    return tree
        + "Totals: "
        + counters(profile.totals())
        + ", peak "
        + bytes(profile.peakBytes())
        + "\n";
  }

  private static String expectation(OptionalDouble rows) {
    return rows.isPresent() ? ", expected " + Math.round(rows.getAsDouble()) + " rows" : "";
  }

  private static String counters(OperatorProfile profile) {
    StringBuilder text = new StringBuilder("rows ").append(profile.rowsOut());
    append(text, "in", profile.rowsIn(), " rows");
    appendBytes(text, "out", profile.bytesOut());
    appendBytes(text, "read", profile.readBytes());
    append(text, "fetched", profile.fetchedRows(), " rows");
    appendBytes(text, "fetched", profile.fetchedBytes());
    appendBytes(text, "spilled", profile.spillBytes());
    appendBytes(text, "shuffled", profile.shuffleBytes());
    append(text, "cpu", profile.cpuMillis(), " ms");
    append(text, "wall", profile.wallMillis(), " ms");
    appendBytes(text, "held", profile.peakBytes());
    profile.extra().forEach((name, amount) -> append(text, name, amount, ""));
    return text.toString();
  }

  private static void append(StringBuilder text, String name, long amount, String unit) {
    if (amount != 0) {
      text.append(", ").append(name).append(' ').append(amount).append(unit);
    }
  }

  private static void appendBytes(StringBuilder text, String name, long amount) {
    if (amount != 0) {
      text.append(", ").append(name).append(' ').append(bytes(amount));
    }
  }

  private static String bytes(long amount) {
    if (amount < 1024) {
      return amount + " B";
    }
    double value = amount;
    String[] units = {"B", "KiB", "MiB", "GiB", "TiB"};
    int unit = 0;
    while (value >= 1024 && unit < units.length - 1) {
      value /= 1024;
      unit++;
    }
    return String.format(java.util.Locale.ROOT, "%.1f %s", value, units[unit]);
  }
}
