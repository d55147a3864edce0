package io.millrace.exec.operator.aggregate;

import io.millrace.core.batch.Batch;
import io.millrace.core.batch.ColumnVector;
import io.millrace.core.plan.AggregateCall;
import io.millrace.core.plan.AggregateStep;
import io.millrace.core.plan.PhysicalPlan;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import io.millrace.exec.operator.key.Partitioner;
import io.millrace.exec.pipeline.OperatorContext;
import io.millrace.exec.spill.SpillFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * Groups on disk as keys and states, in partitions by key: each partition is merged by itself at
 * the end. Filled, read and closed by one thread at a time; calls block.
 */
final class SpilledGroups implements AutoCloseable {
  private static final int PARTITIONS = 32;
  private static final long BATCH_BYTES = 1L << 19;

  private final PhysicalPlan.Aggregate plan;
  private final OperatorContext context;
  private final SpillFile[] files = new SpillFile[PARTITIONS];
  private Schema stateSchema;
  private PhysicalPlan.Aggregate mergePlan;

  SpilledGroups(PhysicalPlan.Aggregate plan, OperatorContext context) {
    this.plan = plan;
    this.context = context;
  }

  boolean isEmpty() {
    return mergePlan == null;
  }

  static int partitionCount() {
    return PARTITIONS;
  }

  /** What merges a partition's batches: a FINAL step over keys and states. */
  PhysicalPlan.Aggregate mergePlan() {
    return mergePlan;
  }

  /** Writes all groups and releases them, also on error. */
  void add(GroupNumbers groups, List<BoundAggregate> aggregates, long groupBytes) {
    try (groups) {
      int rows =
          (int)
              Math.clamp(
                  BATCH_BYTES / Math.max(1, groupBytes / groups.size()), 1, context.batchRows());
      for (int first = 0; first < groups.size() && !context.isCancelled(); first += rows) {
        write(groups, aggregates, first, Math.min(rows, groups.size() - first));
      }
    } finally {
      aggregates.forEach(BoundAggregate::close);
    }
  }

  private void write(GroupNumbers groups, List<BoundAggregate> aggregates, int first, int count) {
    List<ColumnVector> columns = new ArrayList<>();
    List<Integer> stateCounts = new ArrayList<>();
    try {
      for (int key = 0; key < plan.groupKeys().size(); key++) {
        columns.add(groups.column(key, first, count, context.allocator()));
      }
      for (BoundAggregate aggregate : aggregates) {
        List<ColumnVector> states = aggregate.states(first, count, groups.size());
        stateCounts.add(states.size());
        columns.addAll(states);
      }
    } catch (RuntimeException | Error failure) {
      columns.forEach(ColumnVector::close);
      throw failure;
    }
    if (mergePlan == null) {
      describe(columns, stateCounts);
    }
    try (Batch batch = new Batch(stateSchema, columns, count)) {
      writePartitions(batch);
    }
  }

  private void writePartitions(Batch batch) {
    List<Integer> keys = IntStream.range(0, plan.groupKeys().size()).boxed().toList();
    int[] partitions = new int[batch.rowCount()];
    new Partitioner(stateSchema.select(keys).types(), keys, PARTITIONS).place(batch, partitions);
    for (int partition = 0; partition < PARTITIONS; partition++) {
      int[] rows = new int[batch.rowCount()];
      int count = 0;
      for (int row = 0; row < partitions.length; row++) {
        if (partitions[row] == partition) {
          rows[count++] = row;
        }
      }
      if (count > 0) {
        if (files[partition] == null) {
          files[partition] = SpillFile.create(context.configuration());
        }
        long before = files[partition].writtenBytes();
        try (Batch piece = batch.share().withSelection(rows, count)) {
          files[partition].write(piece, context.allocator());
        }
        context.metrics().addSpillBytes(files[partition].writtenBytes() - before);
      }
    }
  }

  private void describe(List<ColumnVector> columns, List<Integer> stateCounts) {
    List<Field> fields = new ArrayList<>(plan.outputSchema().fields());
    int keyCount = plan.groupKeys().size();
    List<Field> stateFields = new ArrayList<>(fields.subList(0, keyCount));
    for (int column = keyCount; column < columns.size(); column++) {
      stateFields.add(Field.nullable("state", columns.get(column).type()));
    }
    stateSchema = new Schema(stateFields);
    List<AggregateCall> calls = new ArrayList<>();
    int position = keyCount;
    for (int index = 0; index < plan.calls().size(); index++) {
      AggregateCall call = plan.calls().get(index);
      int end = position + stateCounts.get(index);
      calls.add(
          new AggregateCall(
              call.function(),
              IntStream.range(position, end).boxed().toList(),
              call.argumentTypes(),
              false,
              OptionalInt.empty(),
              call.resultType()));
      position = end;
    }
    mergePlan =
        new PhysicalPlan.Aggregate(
            plan.id(),
            new PhysicalPlan.Values(plan.id(), stateSchema, List.of()),
            AggregateStep.FINAL,
            IntStream.range(0, keyCount).boxed().toList(),
            calls,
            plan.outputSchema());
  }

  /** The next batch of a partition, owned by the caller; empty at its end. */
  Optional<Batch> read(int partition) {
    return files[partition] == null
        ? Optional.empty()
        : files[partition].read(context.allocator()).map(batch -> batch.withSchema(stateSchema));
  }

  @Override
  public void close() {
    for (SpillFile file : files) {
      if (file != null) {
        file.close();
      }
    }
  }
}
