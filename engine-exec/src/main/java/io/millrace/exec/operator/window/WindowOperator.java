package io.millrace.exec.operator.window;

import io.millrace.core.batch.Batch;
import io.millrace.core.batch.ColumnVector;
import io.millrace.core.plan.OrderKey;
import io.millrace.core.plan.PhysicalPlan;
import io.millrace.core.plan.WindowCall;
import io.millrace.core.plan.WindowFrame;
import io.millrace.core.spi.AggregateKernel;
import io.millrace.core.spi.Step;
import io.millrace.core.type.Schema;
import io.millrace.exec.operator.row.RowConcatenation;
import io.millrace.exec.pipeline.Operator;
import io.millrace.exec.pipeline.OperatorContext;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Appends window functions to sorted rows. It gathers whole partitions until they make a batch or
 * more, computes all calls over them, and gives them on. A partition is held whole.
 */
public final class WindowOperator implements Operator {
  private final PhysicalPlan.Window plan;
  private final Schema inputSchema;
  private final List<WindowEvaluator> evaluators = new ArrayList<>();
  private final Map<WindowFrame, FrameFinder> finders = new HashMap<>();
  private final RowChanges partitionChanges;
  private final RowChanges peerChanges;
  private OperatorContext context;

  /** Rows that are not computed yet, without selections, no batch empty. */
  private final List<Batch> gathered = new ArrayList<>();

  private long gatheredRows;
  private long gatheredBytes;

  /** Where the partition begins that the last gathered row is of, counted over these rows. */
  private long lastPartitionStart;

  private Batch pending;
  private boolean inputEnded;
  private RowConcatenation joining;
  private int joiningRows;

  // The block whose results are given on.
  private Batch results;
  private int resultRow;

  /**
   * @param kernels one per call: of aggregates their kernel, null for window functions
   */
  public WindowOperator(PhysicalPlan.Window plan, List<AggregateKernel> kernels) {
    this.plan = plan;
    this.inputSchema = plan.input().outputSchema();
    for (int index = 0; index < plan.calls().size(); index++) {
      WindowCall call = plan.calls().get(index);
      evaluators.add(WindowEvaluators.of(call, kernels.get(index)));
      if (WindowEvaluators.usesFrame(call)) {
        finders.putIfAbsent(call.frame(), new FrameFinder(call.frame(), plan.orderKeys()));
      }
    }
    this.partitionChanges = new RowChanges(inputSchema, plan.partitionKeys());
    this.peerChanges =
        new RowChanges(inputSchema, plan.orderKeys().stream().map(OrderKey::column).toList());
  }

  @Override
  public Schema outputSchema() {
    return plan.outputSchema();
  }

  @Override
  public void open(OperatorContext operatorContext) {
    context = operatorContext;
  }

  @Override
  public boolean gathersInput() {
    return true;
  }

  @Override
  public void addInput(Batch input) {
    context.memory().keepInput();
    pending = input;
  }

  @Override
  public void noMoreInput() {
    inputEnded = true;
  }

  @Override
  public Step advance() {
    if (results != null) {
      return output();
    }
    if (joining != null) {
      return join();
    }
    if (pending != null) {
      gather();
    }
    boolean enough = lastPartitionStart >= context.batchRows();
    if (enough || inputEnded && gatheredRows > 0) {
      beginBlock();
      return CONTINUE;
    }
    return inputEnded ? Step.FINISHED : Step.NEED_INPUT;
  }

  private void gather() {
    Batch batch = pending;
    pending = null;
    if (batch.rowCount() == 0) {
      batch.close();
      context.memory().settle(gatheredBytes);
      return;
    }
    batch = batch.compact(context.allocator());
    boolean[] changes = new boolean[batch.rowCount()];
    partitionChanges.mark(batch, changes);
    if (!gathered.isEmpty()) {
      Batch last = gathered.getLast();
      changes[0] = partitionChanges.differs(last, last.rowCount() - 1, batch, 0);
    }
    for (int row = batch.rowCount() - 1; row >= 0; row--) {
      if (changes[row]) {
        lastPartitionStart = gatheredRows + row;
        break;
      }
    }
    gathered.add(batch);
    gatheredRows += batch.rowCount();
    gatheredBytes += batch.retainedBytes();
    context.memory().settle(gatheredBytes);
  }

  /** Takes the whole partitions; at the end of the input all are whole. */
  private void beginBlock() {
    long rows = inputEnded ? gatheredRows : lastPartitionStart;
    List<Batch> taken = new ArrayList<>();
    long takenRows = 0;
    while (takenRows < rows) {
      Batch first = gathered.removeFirst();
      if (takenRows + first.rowCount() <= rows) {
        taken.add(first);
        takenRows += first.rowCount();
      } else {
        int count = (int) (rows - takenRows);
        taken.add(first.slice(0, count));
        gathered.addFirst(first.slice(count, first.rowCount() - count));
        first.close();
        takenRows = rows;
      }
    }
    gatheredRows -= rows;
    lastPartitionStart = 0;
    joining = new RowConcatenation(inputSchema, taken, context.allocator());
    joiningRows = joining.rowCount();
  }

  private Step join() {
    Step.Blocked blocked =
        context
            .memory()
            .require(
                gatheredBytes
                    + joining.extraBytes()
                    + joiningRows
                        * (WindowBlock.bytesPerRow()
                            + StateTree.bytesPerRow()
                            + 24L * plan.calls().size()));
    if (blocked != null) {
      return blocked;
    }
    Batch joined = null;
    while (joined == null) {
      joined = joining.step();
    }
    joining = null;
    try (Batch rows = joined) {
      results = compute(rows);
    }
    resultRow = 0;
    return CONTINUE;
  }

  private Batch compute(Batch rows) {
    boolean[] partitions = new boolean[rows.rowCount()];
    partitions[0] = true;
    partitionChanges.mark(rows, partitions);
    boolean[] peers = partitions.clone();
    peerChanges.mark(rows, peers);
    WindowBlock block = new WindowBlock(rows, partitions, peers);
    Map<WindowFrame, FrameRanges> ranges = new HashMap<>();
    List<ColumnVector> columns = new ArrayList<>();
    try {
      rows.columns().forEach(column -> columns.add(column.retain()));
      for (int index = 0; index < evaluators.size(); index++) {
        WindowCall call = plan.calls().get(index);
        FrameRanges frames = null;
        if (WindowEvaluators.usesFrame(call)) {
          frames =
              ranges.computeIfAbsent(
                  call.frame(), frame -> finders.get(frame).find(block, context.allocator()));
        }
        columns.add(evaluators.get(index).evaluate(block, frames, context.allocator()));
      }
    } catch (RuntimeException | Error failure) {
      columns.forEach(ColumnVector::close);
      throw failure;
    }
    return new Batch(outputSchema(), columns, rows.rowCount());
  }

  private Step output() {
    if (resultRow >= results.rowCount()) {
      results.close();
      results = null;
      gatheredBytes = 0;
      for (Batch batch : gathered) {
        gatheredBytes += batch.retainedBytes();
      }
      context.memory().settle(gatheredBytes);
      return CONTINUE;
    }
    long bytesPerRow = results.retainedBytes() / results.rowCount();
    int count = Math.min(results.rowCount() - resultRow, context.rowsPerBatch(bytesPerRow));
    Batch batch = results.slice(resultRow, count);
    resultRow += count;
    return new Step.Output(batch);
  }

  @Override
  public void close() {
    if (pending != null) {
      pending.close();
      pending = null;
    }
    gathered.forEach(Batch::close);
    gathered.clear();
    if (joining != null) {
      joining.close();
      joining = null;
    }
    if (results != null) {
      results.close();
      results = null;
    }
  }
}
