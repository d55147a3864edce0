package io.millrace.exec.expression;

import io.millrace.core.batch.ColumnVector;
import io.millrace.core.spi.RowSet;

/** One node of a compiled expression. Used by one thread at a time. */
interface Evaluator extends AutoCloseable {

  /**
   * Computes the node.
   *
   * @param rows the rows that matter; errors come from no others
   * @return a column of as many rows as the batch has physically, owned by the caller; rows that do
   *     not matter may hold anything
   */
  ColumnVector evaluate(Evaluation evaluation, RowSet rows);

  /**
   * For a boolean node: the rows for which it is true, not false and not null.
   *
   * @param target takes the rows, ascending; at least as long as the row set counts; may be the row
   *     set's own array
   * @return how many were found
   */
  default int select(Evaluation evaluation, RowSet rows, int[] target) {
    try (ColumnVector truths = evaluate(evaluation, rows)) {
      return Truths.select(truths, rows, target);
    }
  }

  /** Releases scratch memory and kernels. */
  @Override
  default void close() {}
}
