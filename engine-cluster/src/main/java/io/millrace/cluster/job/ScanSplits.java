package io.millrace.cluster.job;

import io.millrace.core.plan.PhysicalPlan;
import io.millrace.core.spi.Split;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Takes splits out of a stage's scans and puts a task's share back in. */
final class ScanSplits {
  private ScanSplits() {}

  /** The splits of all scans by node id, in plan order. */
  static Map<Integer, List<Split>> of(PhysicalPlan plan) {
    Map<Integer, List<Split>> splits = new LinkedHashMap<>();
    collect(plan, splits);
    return splits;
  }

  private static void collect(PhysicalPlan plan, Map<Integer, List<Split>> splits) {
    if (plan instanceof PhysicalPlan.Scan scan) {
      splits.put(scan.id(), scan.splits());
    }
    plan.inputs().forEach(input -> collect(input, splits));
  }

  /** The same plan whose scans read these splits; a scan that is not named reads none. */
  static PhysicalPlan replace(PhysicalPlan plan, Map<Integer, List<Split>> splits) {
    return PlanLeaves.replace(
        plan,
        leaf ->
            leaf instanceof PhysicalPlan.Scan scan
                ? new PhysicalPlan.Scan(
                    scan.id(), scan.specification(), splits.getOrDefault(scan.id(), List.of()))
                : leaf);
  }
}
