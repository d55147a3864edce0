package io.millrace.exec.operator.transform;

import io.millrace.core.batch.Batch;
import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.FlatVector;
import io.millrace.core.batch.Gather;
import io.millrace.core.batch.VectorBuilder;
import io.millrace.core.plan.PhysicalPlan;
import io.millrace.core.spi.Step;
import io.millrace.core.type.DataType;
import io.millrace.core.type.Schema;
import io.millrace.exec.kernel.list.ListRows;
import io.millrace.exec.pipeline.Operator;
import io.millrace.exec.pipeline.OperatorContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/** Gives one row per element of list columns, in batches of bounded size. */
public final class UnnestOperator implements Operator {
  private final PhysicalPlan.Unnest plan;
  private final List<FlatVector> lists = new ArrayList<>();
  private OperatorContext context;
  private Batch pending;

  /** The row of the pending batch and its element that come next. */
  private int nextRow;

  private long nextElement;
  private boolean inputEnded;

  /** Of the batch that is being made: the source row and the element's position, from 0. */
  private int[] rows = new int[0];

  private long[] elements = new long[0];

  public UnnestOperator(PhysicalPlan.Unnest plan) {
    this.plan = plan;
  }

  @Override
  public Schema outputSchema() {
    return plan.outputSchema();
  }

  @Override
  public void open(OperatorContext operatorContext) {
    context = operatorContext;
    rows = new int[context.batchRows()];
    elements = new long[context.batchRows()];
  }

  @Override
  public void addInput(Batch input) {
    pending = input;
    nextRow = 0;
    nextElement = 0;
  }

  @Override
  public void noMoreInput() {
    inputEnded = true;
  }

  @Override
  public Step advance() {
    if (pending == null) {
      return inputEnded ? Step.FINISHED : Step.NEED_INPUT;
    }
    if (lists.isEmpty()) {
      for (int column : plan.lists()) {
        lists.add(pending.column(column).flatten(context.allocator()));
      }
    }
    int count = fill();
    Batch made = count == 0 ? null : output(count);
    if (nextRow >= pending.rowCount()) {
      closePending();
    }
    return made != null ? new Step.Output(made) : inputEnded ? Step.FINISHED : Step.NEED_INPUT;
  }

  /** Chooses the next rows of output; gives how many. */
  private int fill() {
    int count = 0;
    while (count < rows.length && nextRow < pending.rowCount()) {
      int row = pending.physicalRow(nextRow);
      long length = 0;
      for (FlatVector list : lists) {
        length = Math.max(length, length(list, row));
      }
      if (plan.outer()) {
        length = Math.max(length, 1);
      }
      while (count < rows.length && nextElement < length) {
        rows[count] = row;
        elements[count++] = nextElement++;
      }
      if (nextElement >= length) {
        nextRow++;
        nextElement = 0;
      }
    }
    return count;
  }

  private static long length(FlatVector list, int row) {
    if (list.type() instanceof DataType.Null || list.isNull(row)) {
      return 0;
    }
    return list.type() instanceof DataType.Int ? list.longAt(row) : ListRows.count(list, row);
  }

  private Batch output(int count) {
    List<ColumnVector> columns = new ArrayList<>(plan.outputSchema().size());
    BufferAllocator allocator = context.allocator();
    try {
      for (int column : plan.kept()) {
        columns.add(Gather.rows(pending.column(column), rows, count, allocator));
      }
      for (FlatVector list : lists) {
        addElements(list, count, columns);
      }
      if (plan.ordinality()) {
        columns.add(ordinals(count));
      }
    } catch (RuntimeException | Error failure) {
      columns.forEach(ColumnVector::close);
      throw failure;
    }
    return new Batch(plan.outputSchema(), columns, count);
  }

  private void addElements(FlatVector list, int count, List<ColumnVector> columns) {
    if (list.type() instanceof DataType.Int) {
      return;
    }
    if (list.type() instanceof DataType.Null) {
      DataType type = plan.outputSchema().field(columns.size()).type();
      columns.add(FlatVector.ofNulls(type, count, context.allocator()));
      return;
    }
    int[] places = new int[count];
    Arrays.fill(places, -1);
    for (int index = 0; index < count; index++) {
      if (elements[index] < length(list, rows[index])) {
        places[index] = ListRows.start(list, rows[index]) + (int) elements[index];
      }
    }
    if (list.type() instanceof DataType.MapOf) {
      FlatVector entries = list.child(0);
      columns.add(Gather.flat(entries.child(0), places, count, context.allocator()));
      columns.add(Gather.flat(entries.child(1), places, count, context.allocator()));
    } else {
      columns.add(Gather.flat(list.child(0), places, count, context.allocator()));
    }
  }

  /** Null where an outer row has no element. */
  private FlatVector ordinals(int count) {
    try (VectorBuilder builder = new VectorBuilder(DataType.INT64, context.allocator())) {
      for (int index = 0; index < count; index++) {
        long length = 0;
        for (FlatVector list : lists) {
          length = Math.max(length, length(list, rows[index]));
        }
        if (length == 0) {
          builder.appendNull();
        } else {
          builder.appendLong(elements[index] + 1);
        }
      }
      return builder.finish();
    }
  }

  private void closePending() {
    lists.forEach(FlatVector::close);
    lists.clear();
    if (pending != null) {
      pending.close();
      pending = null;
    }
  }

  @Override
  public void close() {
    closePending();
  }
}
