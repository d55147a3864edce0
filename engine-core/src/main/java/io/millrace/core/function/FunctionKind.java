package io.millrace.core.function;

/** What a function maps. */
public enum FunctionKind {
  /** One row to one value. */
  SCALAR,
  /** Many rows to one value. */
  AGGREGATE,
  /** One row to one value, looking at the rows of its window; stands with OVER only. */
  WINDOW
}
