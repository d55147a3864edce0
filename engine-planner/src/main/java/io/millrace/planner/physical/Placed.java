package io.millrace.planner.physical;

import io.millrace.core.plan.PhysicalPlan;

/** A plan and where its rows are. */
record Placed(PhysicalPlan plan, Distribution distribution) {
  boolean isSingle() {
    return distribution instanceof Distribution.Single;
  }

  Placed with(PhysicalPlan newPlan) {
    return new Placed(newPlan, distribution);
  }
}
