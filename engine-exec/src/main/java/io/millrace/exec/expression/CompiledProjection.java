package io.millrace.exec.expression;

import io.millrace.core.batch.Batch;
import io.millrace.core.batch.ColumnVector;
import io.millrace.core.type.DataType;
import java.util.List;

/**
 * Several expressions over one input, ready to run: a part that stands in more than one of them is
 * computed once per batch. Used by one thread at a time.
 */
public interface CompiledProjection extends AutoCloseable {

  /** The types of the results. */
  List<DataType> types();

  /**
   * Computes all expressions for the selected rows of a batch.
   *
   * @param batch borrowed. Its selection, when it has one, is strictly ascending
   * @return one column per expression, as {@link CompiledExpression#evaluate} gives it; owned by
   *     the caller
   */
  List<ColumnVector> evaluateAll(Batch batch);

  /** Releases scratch memory; again does nothing. */
  @Override
  void close();
}
