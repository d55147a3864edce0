package io.millrace.exec.expression;

import io.millrace.core.batch.Batch;

/** A boolean expression ready to select rows. Used by one thread at a time. */
public interface CompiledPredicate extends AutoCloseable {

  /**
   * Finds the selected rows for which the predicate is true (not false, not null).
   *
   * @param batch borrowed. Its selection, when it has one, is strictly ascending
   * @param rows takes the physical row indexes, ascending; at least {@code batch.rowCount()} long.
   *     Never the batch's own selection
   * @return how many rows were found
   */
  int select(Batch batch, int[] rows);

  /** Releases scratch memory; again does nothing. */
  @Override
  void close();
}
