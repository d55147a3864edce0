package io.millrace.planner.physical;

import io.millrace.core.plan.Partitioning;
import io.millrace.core.plan.PhysicalPlan;

/** How many tasks can share a plan's rows, and whether their order means something. */
final class TaskWidth {
  /** What an exchange spreads over all tasks is not limited by its input. */
  private static final int UNLIMITED = Integer.MAX_VALUE;

  private TaskWidth() {}

  /** At most so many tasks have rows. */
  static int of(PhysicalPlan plan) {
    return switch (plan) {
      case PhysicalPlan.Scan scan -> Math.max(1, scan.splits().size());
      case PhysicalPlan.Values unused -> 1;
      case PhysicalPlan.StageInput unused -> UNLIMITED;
      case PhysicalPlan.Exchange exchange ->
          exchange.partitioning() instanceof Partitioning.Single ? 1 : UNLIMITED;
      case PhysicalPlan.Union union ->
          (int) Math.min(UNLIMITED, union.inputs().stream().mapToLong(TaskWidth::of).sum());
      default -> of(plan.inputs().getFirst());
    };
  }

  /** Whether rows come in an order that a sort below gave them. */
  static boolean isOrdered(PhysicalPlan plan) {
    return switch (plan) {
      case PhysicalPlan.Sort unused -> true;
      case PhysicalPlan.TopN unused -> true;
      case PhysicalPlan.Exchange exchange ->
          exchange.partitioning() instanceof Partitioning.Single single
              && !single.mergeKeys().isEmpty();
      case PhysicalPlan.Filter filter -> isOrdered(filter.input());
      case PhysicalPlan.Project project -> isOrdered(project.input());
      case PhysicalPlan.Window window -> isOrdered(window.input());
      case PhysicalPlan.Limit limit -> isOrdered(limit.input());
      case PhysicalPlan.Udf udf -> isOrdered(udf.input());
      case PhysicalPlan.Fetch fetch -> isOrdered(fetch.input());
      default -> false;
    };
  }
}
