package io.millrace.planner.dataframe;

/** The phases of planning that EXPLAIN prints. */
public enum ExplainPhase {
  LOGICAL,
  OPTIMIZED,
  PHYSICAL,
  STAGES,
  /** Every phase, one after the other. */
  ALL
}
