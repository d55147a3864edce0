package io.millrace.testkit.slt;

/** The one list of places where this engine answers otherwise than DuckDB by design. */
public enum AcceptedDifference {
  /** {@code 7 / 2} of integers is 3 here, 3.5 there. */
  INTEGER_DIVISION,
  /** Nulls sort last ascending and first descending here; last in both there. */
  NULL_ORDER,
  /** Products beyond 38 digits lose scale here; there they are refused or become doubles. */
  DECIMAL_SCALE,
  /** The sum of 64-bit integers is decimal(38, 0) here and an error beyond; there HUGEINT. */
  SUM_OF_INT64,
  /** Division by zero of exact types is an error here; NULL there. */
  DIVISION_BY_ZERO
}
