package io.millrace.exec.kernel;

import io.millrace.core.batch.ColumnVector;
import io.millrace.core.spi.RowSet;
import java.util.List;

/** A kernel of booleans that can give the rows where it is true without making a column. */
public interface SelectingKernel {

  /** Whether the result is boolean, so that {@link #select} may be called. */
  boolean canSelect();

  /**
   * Finds the rows for which the result is true, not false and not null.
   *
   * @param arguments borrowed
   * @param target takes the rows, ascending; at least as long as the row set counts; may be the row
   *     set's own array
   * @return how many rows were found
   */
  int select(List<ColumnVector> arguments, RowSet rows, int[] target);
}
