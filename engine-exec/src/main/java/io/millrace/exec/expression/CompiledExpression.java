package io.millrace.exec.expression;

import io.millrace.core.batch.Batch;
import io.millrace.core.batch.ColumnVector;
import io.millrace.core.type.DataType;

/**
 * A physical expression ready to run over batches of one input schema. Used by one thread at a
 * time; may keep scratch memory between calls, which close releases.
 */
public interface CompiledExpression extends AutoCloseable {

  /** The type of the result. */
  DataType type();

  /**
   * Computes the expression for the selected rows of a batch.
   *
   * @param batch borrowed. Its selection, when it has one, is strictly ascending
   * @return a column with one row per physical row of the batch, owned by the caller; rows outside
   *     the selection may hold anything. A constant or a dictionary may come back as such; an input
   *     column comes back as a further handle on the same buffers
   * @throws io.millrace.core.error.MillraceException an error of the query, never because of a row
   *     that is not selected
   */
  ColumnVector evaluate(Batch batch);

  /** Releases scratch memory; again does nothing. */
  @Override
  void close();
}
