package io.millrace.planner.sanity;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.plan.PhysicalPlan;
import io.millrace.planner.explain.LogicalText;
import io.millrace.planner.explain.PhysicalText;
import org.apache.calcite.rel.RelNode;

/** The checks, with the plan's text attached to what they find. */
public final class PlanChecker {
  private PlanChecker() {}

  /**
   * Columns in range and of the types that expressions expect, references fetched from their own
   * source.
   *
   * @param phase what made the plan, for the message
   * @throws MillraceException INVALID_PLAN with the plan
   */
  public static void checkLogical(String phase, RelNode plan) {
    check(phase, () -> LogicalText.of(plan), () -> new LogicalCheck().check(plan));
  }

  /**
   * As {@link #checkLogical}, and that no reference leaves the plan.
   *
   * @throws MillraceException INVALID_PLAN with the plan
   */
  public static void checkOptimized(RelNode plan) {
    check(
        "optimized",
        () -> LogicalText.of(plan),
        () -> {
          new LogicalCheck().check(plan);
          LogicalCheck.checkNoReferenceLeaves(plan);
        });
  }

  /**
   * The same for records.
   *
   * @throws MillraceException INVALID_PLAN with the plan
   */
  public static void checkPhysical(PhysicalPlan plan) {
    check("physical", () -> PhysicalText.of(plan), () -> new PhysicalCheck().check(plan));
  }

  private static void check(
      String phase, java.util.function.Supplier<String> text, Runnable checks) {
    try {
      checks.run();
    } catch (PlanFault fault) {
      throw new MillraceException(
          ErrorCode.INVALID_PLAN,
          "The planner made an invalid plan (a bug) in phase "
              + phase
              + ": "
              + fault.getMessage()
              + "\n"
              + text.get(),
          fault);
    }
  }
}
