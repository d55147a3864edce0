package io.millrace.planner.sanity;

/** Something wrong in a plan; {@link PlanChecker} adds the plan. */
final class PlanFault extends RuntimeException {
  private static final long serialVersionUID = 1L;

  PlanFault(String message) {
    super(message);
  }

  static void require(boolean condition, String message, Object... values) {
    if (!condition) {
      throw new PlanFault(String.format(message, values));
    }
  }
}
