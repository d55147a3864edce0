package io.millrace.exec.operator.sort;

import io.millrace.core.batch.Batch;
import io.millrace.core.plan.OrderKey;
import io.millrace.core.spi.Step;
import io.millrace.core.type.Schema;
import io.millrace.exec.operator.row.RowBuffer;
import io.millrace.exec.operator.row.RowConcatenation;
import io.millrace.exec.pipeline.Operator;
import io.millrace.exec.pipeline.OperatorContext;
import java.util.List;

/** Gathers all rows, sorts them stably, and gives them in order. */
public final class SortOperator implements Operator {
  private final Schema schema;
  private final RowOrder order;
  private final RowBuffer rows = new RowBuffer();
  private OperatorContext context;
  private boolean inputEnded;
  private RowConcatenation concatenation;
  private long workingBytes;
  private RowSorter sorter;
  private boolean sorted;
  private int outputRow;

  public SortOperator(Schema schema, List<OrderKey> keys) {
    this.schema = schema;
    this.order = new RowOrder(schema, keys);
  }

  @Override
  public Schema outputSchema() {
    return schema;
  }

  @Override
  public void open(OperatorContext operatorContext) {
    context = operatorContext;
    rows.open(context);
  }

  @Override
  public void addInput(Batch input) {
    rows.add(input);
  }

  @Override
  public void noMoreInput() {
    inputEnded = true;
  }

  @Override
  public Step advance() {
    if (sorted) {
      return output();
    }
    rows.settleLast();
    if (!inputEnded) {
      return Step.NEED_INPUT;
    }
    if (sorter == null) {
      return concatenate();
    }
    sorted = sorter.step();
    return CONTINUE;
  }

  private Step concatenate() {
    if (concatenation == null) {
      if (rows.rowCount() == 0) {
        return Step.FINISHED;
      }
      concatenation = new RowConcatenation(schema, rows.take(), context.allocator());
      workingBytes =
          context.memory().stateBytes()
              + Math.max(
                  concatenation.extraBytes(), RowSorter.extraBytes(concatenation.rowCount()));
    }
    Step.Blocked blocked = context.memory().require(workingBytes);
    if (blocked != null) {
      return blocked;
    }
    Batch joined = concatenation.step();
    if (joined != null) {
      concatenation = null;
      sorter = new RowSorter(joined, order, context.allocator());
    }
    return CONTINUE;
  }

  private Step output() {
    int count = Math.min(sorter.rowCount() - outputRow, context.rowsPerBatch(sorter.bytesPerRow()));
    if (count == 0) {
      return Step.FINISHED;
    }
    Batch batch = sorter.rows(outputRow, count);
    outputRow += count;
    return new Step.Output(batch);
  }

  @Override
  public void close() {
    rows.close();
    if (concatenation != null) {
      concatenation.close();
      concatenation = null;
    }
    if (sorter != null) {
      sorter.close();
      sorter = null;
    }
  }
}
