package io.millrace.exec.operator.recursion;

import io.millrace.core.batch.Batch;
import io.millrace.core.config.Settings;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.memory.Reservation;
import io.millrace.core.plan.PhysicalPlan;
import io.millrace.core.spi.Step;
import io.millrace.core.type.Schema;
import io.millrace.exec.bridge.BatchQueue;
import io.millrace.exec.operator.key.KeyRows;
import io.millrace.exec.operator.key.KeyTable;
import io.millrace.exec.pipeline.Operator;
import io.millrace.exec.pipeline.OperatorContext;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/**
 * Gives its input's rows, then those of the step over them, then those of the step over these, and
 * so on until there are none. Without {@code all} a row that was given before is left out and not
 * worked on again; the rows seen are then held in memory.
 */
public final class RecursionOperator implements Operator {
  /** The part of the memory budget that one iteration's rows may fill. */
  private static final int WORK_SHARE = 16;

  private final PhysicalPlan.Recursion plan;
  private final StepRunner runner;
  private final Reservation reservation;
  private final List<Integer> columns;
  private OperatorContext context;
  private long limitBytes;
  private KeyRows keys;
  private KeyTable seen;
  private Batch pending;
  private boolean inputEnded;
  private boolean closed;
  private int iterations;

  /** The rows that the next run reads. */
  private WorkTable next;

  private CompletableFuture<Void> writing;
  private StepRunner.Run run;
  private BatchQueue results;

  /** Takes ownership of the reservation. */
  public RecursionOperator(
      PhysicalPlan.Recursion plan, StepRunner runner, Reservation reservation) {
    this.plan = plan;
    this.runner = runner;
    this.reservation = reservation;
    this.columns = IntStream.range(0, plan.outputSchema().size()).boxed().toList();
  }

  @Override
  public Schema outputSchema() {
    return plan.outputSchema();
  }

  @Override
  public void open(OperatorContext operatorContext) {
    context = operatorContext;
    limitBytes =
        Math.min(
            context.configuration().value(Settings.QUEUE_BYTES),
            context.memoryLimitBytes() / WORK_SHARE);
    next = new WorkTable(context, reservation, limitBytes);
    if (!plan.all()) {
      keys = KeyRows.ofGroups(plan.outputSchema().types());
      seen = new KeyTable(keys, context.allocator());
    }
  }

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
    while (true) {
      if (writing != null) {
        if (!writing.isDone()) {
          return new Step.Blocked(writing, Step.BlockReason.IO);
        }
        CompletableFuture<Void> done = writing;
        writing = null;
        done.join();
      }
      if (pending != null) {
        Step step = give();
        if (step != null) {
          return step;
        }
        continue;
      }
      if (!inputEnded) {
        return Step.NEED_INPUT;
      }
      if (run == null) {
        if (next.isEmpty()) {
          return Step.FINISHED;
        }
        startRun();
      }
      switch (results.poll()) {
        case Step.Output output -> pending = output.batch();
        case Step.Blocked blocked -> {
          return blocked;
        }
        case Step.Finished unused -> endRun();
        case Step.NeedInput unused ->
            throw new MillraceException(ErrorCode.INTERNAL_ERROR, "A queue asked for input.");
      }
    }
  }

  /** The pending batch goes out and to the next run; null when none of its rows is new. */
  private Step give() {
    if (pending.rowCount() == 0) {
      pending.close();
      pending = null;
      return null;
    }
    if (seen != null) {
      keys.encode(pending, columns);
      Step.Blocked blocked = context.memory().require(seen.bytesWith(keys));
      if (blocked != null) {
        return blocked;
      }
      if (!keepNew()) {
        return null;
      }
    }
    Batch batch = pending.withSchema(plan.outputSchema());
    pending = null;
    writing = next.write(batch.share());
    return new Step.Output(batch);
  }

  /**
   * Leaves the rows in the pending batch that were not seen before; gives whether there are any.
   */
  private boolean keepNew() {
    int[] numbers = new int[pending.rowCount()];
    int[] rows = new int[pending.rowCount()];
    int known = seen.size();
    seen.assign(keys, numbers);
    int count = 0;
    for (int row = 0; row < numbers.length; row++) {
      if (numbers[row] >= known) {
        known = numbers[row] + 1;
        rows[count++] = pending.physicalRow(row);
      }
    }
    boolean all = count == pending.rowCount();
    Batch batch = pending;
    pending = null;
    if (count == 0) {
      batch.close();
    } else {
      pending =
          all
              ? batch
              : batch.withSelection(Arrays.copyOf(rows, count), count).compact(context.allocator());
    }
    context.memory().settle(seen.bytes());
    return pending != null;
  }

  private void startRun() {
    int limit = context.configuration().value(Settings.RECURSION_LIMIT);
    if (++iterations > limit) {
      throw new MillraceException(
          ErrorCode.RECURSION_LIMIT,
          "A recursive query did not end within its iterations; give it a condition that ends it"
              + " or raise "
              + Settings.RECURSION_LIMIT.name()
              + ": "
              + limit);
    }
    WorkTable work = next;
    next = new WorkTable(context, reservation, limitBytes);
    BatchQueue queue = new BatchQueue(limitBytes, reservation, 1, 1);
    results = queue;
    run = runner.start(work, queue, context.allocator());
    run.completion().whenComplete((nothing, failure) -> queue.producerEnded());
  }

  private void endRun() {
    CompletableFuture<Void> completion = run.completion();
    run = null;
    results.close();
    results = null;
    if (completion.isCompletedExceptionally()) {
      throw MillraceException.of(completion.exceptionNow());
    }
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    if (pending != null) {
      pending.close();
      pending = null;
    }
    if (results != null) {
      results.close();
    }
    if (seen != null) {
      seen.close();
      seen = null;
    }
    if (run != null) {
      run.cancel();
      context.track(run.completion().handle((nothing, failure) -> closeWork()));
    } else if (writing != null) {
      context.track(writing.handle((nothing, failure) -> closeWork()));
    } else {
      closeWork();
    }
  }

  private Void closeWork() {
    if (next != null) {
      if (writing != null) {
        context.track(writing.handle((nothing, failure) -> closeTable()));
      } else {
        closeTable();
      }
    } else {
      reservation.close();
    }
    return null;
  }

  private Void closeTable() {
    next.close();
    reservation.close();
    return null;
  }
}
