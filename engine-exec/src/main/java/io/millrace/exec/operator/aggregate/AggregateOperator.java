package io.millrace.exec.operator.aggregate;

import io.millrace.core.batch.Batch;
import io.millrace.core.batch.ColumnVector;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.plan.AggregateCall;
import io.millrace.core.plan.AggregateStep;
import io.millrace.core.plan.PhysicalPlan;
import io.millrace.core.spi.AggregateKernel;
import io.millrace.core.spi.Step;
import io.millrace.core.type.Schema;
import io.millrace.exec.pipeline.Operator;
import io.millrace.exec.pipeline.OperatorContext;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Groups rows in a hash table and gives the groups at the end. Under memory pressure a PARTIAL step
 * gives the groups it has and starts again, because FINAL merges them anyway; another step writes
 * them to disk, unless a call is distinct, and merges them at the end.
 */
public final class AggregateOperator implements Operator {
  /** What a new group may add to the state of a call, until the accumulator says the real size. */
  private static final long STATE_BYTES_PER_GROUP = 32;

  /**
   * A PARTIAL step gives its groups when they take more than this: it only has to thin rows out.
   */
  private static final long PARTIAL_LIMIT_BYTES = 64L << 20;

  /** The part of the memory budget that a PARTIAL step may take. */
  private static final int PARTIAL_SHARE = 16;

  private final PhysicalPlan.Aggregate plan;
  private final Schema inputSchema;
  private final List<AggregateKernel> kernels;
  private final boolean spills;
  private final List<BoundAggregate> aggregates = new ArrayList<>();
  private OperatorContext context;
  private GroupNumbers groups;
  private Batch pending;
  private boolean prepared;
  private boolean inputEnded;
  private boolean flushing;
  private int outputPosition;
  private long neededBytes;
  private SpilledGroups spilled;
  private CompletableFuture<Void> spilling;
  private SpilledGroupMerge merge;
  private boolean closed;

  /**
   * @param kernels one per call of the plan
   */
  public AggregateOperator(PhysicalPlan.Aggregate plan, List<AggregateKernel> kernels) {
    this(plan, kernels, true);
  }

  /**
   * @param maySpill false for the merge of what was spilled
   */
  AggregateOperator(PhysicalPlan.Aggregate plan, List<AggregateKernel> kernels, boolean maySpill) {
    this.plan = plan;
    this.spills =
        maySpill
            && plan.step() != AggregateStep.PARTIAL
            && !plan.groupKeys().isEmpty()
            && plan.calls().stream().noneMatch(AggregateCall::distinct);
    this.inputSchema = plan.input().outputSchema();
    this.kernels = kernels;
  }

  @Override
  public Schema outputSchema() {
    return plan.outputSchema();
  }

  @Override
  public void open(OperatorContext operatorContext) {
    context = operatorContext;
    spilled = new SpilledGroups(plan, context);
    openGroups();
  }

  private void openGroups() {
    groups =
        new GroupNumbers(
            inputSchema.select(plan.groupKeys()).types(), plan.groupKeys(), context.allocator());
    for (int index = 0; index < kernels.size(); index++) {
      aggregates.add(
          new BoundAggregate(
              plan.calls().get(index),
              plan.step(),
              kernels.get(index),
              inputSchema,
              plan.groupKeys(),
              context.allocator()));
    }
  }

  @Override
  public void addInput(Batch input) {
    pending = input;
    prepared = false;
  }

  @Override
  public void noMoreInput() {
    inputEnded = true;
  }

  @Override
  public Step advance() {
    if (spilling != null) {
      if (!spilling.isDone()) {
        return new Step.Blocked(spilling, Step.BlockReason.IO);
      }
      CompletableFuture<Void> done = spilling;
      spilling = null;
      done.join();
    }
    if (merge != null) {
      return merge.advance();
    }
    if (flushing) {
      return output();
    }
    if (pending != null) {
      Step.Blocked blocked = addPending();
      if (blocked != null) {
        return blocked;
      }
      if (flushing) {
        return output();
      }
    }
    if (!inputEnded) {
      return Step.NEED_INPUT;
    }
    if (!spilled.isEmpty()) {
      return finishSpilled();
    }
    flushing = true;
    return output();
  }

  /** What is still in memory goes to disk too; then all is merged. */
  private Step finishSpilled() {
    if (groups.size() > 0) {
      spilling = spill();
      return new Step.Blocked(spilling, Step.BlockReason.IO);
    }
    merge = new SpilledGroupMerge(spilled, kernels, context);
    return merge.advance();
  }

  /** Writes the groups off this thread; their memory is given back before the future completes. */
  private CompletableFuture<Void> spill() {
    GroupNumbers writtenGroups = groups;
    List<BoundAggregate> writtenAggregates = List.copyOf(aggregates);
    long writtenBytes = bytes();
    aggregates.clear();
    prepared = false;
    openGroups();
    return context
        .supplyBlocking(
            () -> {
              spilled.add(writtenGroups, writtenAggregates, writtenBytes);
              return (Void) null;
            })
        .whenComplete((nothing, failure) -> context.memory().settle(0));
  }

  private Step.Blocked addPending() {
    if (pending.rowCount() == 0) {
      dropPending();
      return null;
    }
    if (!prepared) {
      groups.prepare(pending);
      long growth = STATE_BYTES_PER_GROUP * pending.rowCount();
      neededBytes = groups.bytesWithPrepared();
      for (BoundAggregate aggregate : aggregates) {
        neededBytes += aggregate.prepare(pending, growth);
      }
      prepared = true;
    }
    Step.Blocked blocked = requireOrGive();
    if (blocked != null) {
      return blocked;
    }
    int[] numbers = groups.assign();
    for (BoundAggregate aggregate : aggregates) {
      aggregate.add(pending, numbers, groups.size());
    }
    dropPending();
    long bytes = bytes();
    context.metrics().recordHeldBytes(bytes);
    context.memory().settle(bytes);
    long limit = Math.min(PARTIAL_LIMIT_BYTES, context.memoryLimitBytes() / PARTIAL_SHARE);
    flushing = plan.step() == AggregateStep.PARTIAL && bytes > limit;
    return null;
  }

  /** When the table would take more than there ever is, what it holds goes first. */
  private Step.Blocked requireOrGive() {
    try {
      return context.memory().require(neededBytes);
    } catch (MillraceException failure) {
      if (failure.code() != ErrorCode.MEMORY_EXHAUSTED || revocableBytes() == 0) {
        throw failure;
      }
      CompletableFuture<Void> given = revoke(neededBytes);
      return new Step.Blocked(given, Step.BlockReason.MEMORY);
    }
  }

  private void dropPending() {
    pending.close();
    pending = null;
  }

  private long bytes() {
    long bytes = groups.bytes();
    for (BoundAggregate aggregate : aggregates) {
      bytes += aggregate.bytes();
    }
    return bytes;
  }

  /** Without keys there is one group, also over no rows; a PARTIAL step may leave it out. */
  private int groupCount() {
    return plan.groupKeys().isEmpty() && plan.step() != AggregateStep.PARTIAL ? 1 : groups.size();
  }

  private Step output() {
    int groupCount = groupCount();
    if (outputPosition >= groupCount) {
      return outputEnded();
    }
    long bytesPerGroup = bytes() / Math.max(1, groupCount);
    int count = Math.min(groupCount - outputPosition, context.rowsPerBatch(bytesPerGroup));
    List<ColumnVector> columns = new ArrayList<>(outputSchema().size());
    try {
      for (int key = 0; key < plan.groupKeys().size(); key++) {
        columns.add(groups.column(key, outputPosition, count, context.allocator()));
      }
      for (BoundAggregate aggregate : aggregates) {
        columns.addAll(aggregate.output(outputPosition, count, groupCount));
      }
    } catch (RuntimeException | Error failure) {
      columns.forEach(ColumnVector::close);
      throw failure;
    }
    outputPosition += count;
    return new Step.Output(new Batch(outputSchema(), columns, count));
  }

  private Step outputEnded() {
    groups.clear();
    aggregates.forEach(BoundAggregate::clear);
    context.memory().settle(0);
    outputPosition = 0;
    if (inputEnded && pending == null) {
      return Step.FINISHED;
    }
    flushing = false;
    prepared = false;
    return advance();
  }

  @Override
  public long revocableBytes() {
    boolean canGive = spills || plan.step() == AggregateStep.PARTIAL;
    boolean busy = flushing || spilling != null || merge != null || closed;
    return canGive && !busy && groups != null && groups.size() > 0 ? bytes() : 0;
  }

  @Override
  public CompletableFuture<Void> revoke(long targetBytes) {
    if (revocableBytes() == 0) {
      return CompletableFuture.completedFuture(null);
    }
    if (spills) {
      spilling = spill();
      return spilling;
    }
    flushing = true;
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    if (pending != null) {
      dropPending();
    }
    if (groups != null) {
      groups.close();
      groups = null;
    }
    aggregates.forEach(BoundAggregate::close);
    aggregates.clear();
    if (merge != null) {
      merge.close();
      merge = null;
    }
    if (spilling != null) {
      // The groups are being written: the files are closed when that has ended.
      context.track(spilling.handle((nothing, failure) -> closeSpilled()));
    } else {
      closeSpilled();
    }
  }

  private Void closeSpilled() {
    if (spilled != null) {
      spilled.close();
    }
    return null;
  }
}
