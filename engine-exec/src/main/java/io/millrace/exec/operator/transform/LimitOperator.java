package io.millrace.exec.operator.transform;

import io.millrace.core.batch.Batch;
import io.millrace.core.spi.Step;
import io.millrace.core.type.Schema;
import io.millrace.exec.pipeline.Operator;
import io.millrace.exec.pipeline.OperatorContext;

/** Leaves out the first rows, gives at most so many after them, and then stops its source. */
public final class LimitOperator implements Operator {
  private final Schema schema;
  private long skipRows;
  private long remainingRows;
  private Batch pending;
  private boolean inputEnded;

  public LimitOperator(Schema schema, long offset, long limit) {
    this.schema = schema;
    this.skipRows = offset;
    this.remainingRows = limit;
  }

  @Override
  public Schema outputSchema() {
    return schema;
  }

  @Override
  public void open(OperatorContext context) {}

  @Override
  public void addInput(Batch input) {
    pending = input;
  }

  @Override
  public void noMoreInput() {
    inputEnded = true;
  }

  @Override
  public Step advance() {
    if (remainingRows <= 0) {
      return Step.FINISHED;
    }
    if (pending == null) {
      return inputEnded ? Step.FINISHED : Step.NEED_INPUT;
    }
    Batch batch = pending;
    pending = null;
    int rowCount = batch.rowCount();
    int from = (int) Math.min(rowCount, skipRows);
    int count = (int) Math.min(rowCount - from, remainingRows);
    skipRows -= from;
    remainingRows -= count;
    if (count == rowCount) {
      return new Step.Output(batch);
    }
    try (batch) {
      if (count == 0) {
        return inputEnded ? Step.FINISHED : Step.NEED_INPUT;
      }
      return new Step.Output(batch.slice(from, count));
    }
  }

  @Override
  public void close() {
    if (pending != null) {
      pending.close();
      pending = null;
    }
  }
}
