package io.millrace.testkit;

/** The ways in which a batch can hold the same rows. */
public enum BatchForm {
  /** Flat vectors from their first row. */
  FLAT,
  /** Every column dictionary-coded, where the type allows. */
  DICTIONARY,
  /** Columns of one value as constants, others flat. */
  CONSTANT,
  /** Flat vectors with other rows between, left out by a selection. */
  SELECTION,
  /** A slice of longer flat vectors, not on a byte boundary. */
  SLICED,
  /** Dictionary-coded vectors, sliced, under a selection. */
  ALL_AT_ONCE
}
