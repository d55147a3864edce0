package io.millrace.core.spi;

import io.millrace.core.batch.ColumnVector;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/**
 * The code of a scalar function for one set of types. Used by one thread at a time; may keep
 * scratch memory between calls.
 */
public interface ScalarKernel extends AutoCloseable {

  /**
   * Computes one value per row.
   *
   * @param arguments of equal length; borrowed, not closed here. Any form: flat, dictionary,
   *     constant
   * @param rows the rows that matter; other positions of the result may hold anything, and no error
   *     may come from them. Null arguments raise no error under NULL_ON_NULL
   * @param allocator for the result, which the caller owns
   * @return a column as long as the arguments
   */
  ColumnVector evaluate(List<ColumnVector> arguments, RowSet rows, BufferAllocator allocator);

  @Override
  default void close() {}
}
