package io.millrace.core.function;

/** Whether equal arguments give equal results. */
public enum Volatility {
  /** Always; may be folded at planning time. */
  IMMUTABLE,
  /** Within one query. */
  STABLE,
  /** Never folded, moved over rows or evaluated twice. */
  VOLATILE
}
