package io.millrace.exec.operator.aggregate;

import io.millrace.core.batch.Batch;
import io.millrace.core.batch.Bits;
import io.millrace.core.batch.ColumnVector;
import io.millrace.core.plan.AggregateCall;
import io.millrace.core.plan.AggregateStep;
import io.millrace.core.spi.AggregateKernel;
import io.millrace.core.spi.RowSet;
import io.millrace.core.type.Schema;
import io.millrace.exec.operator.key.ColumnRows;
import io.millrace.exec.operator.key.KeyRows;
import io.millrace.exec.operator.key.KeyTable;
import java.util.ArrayList;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/** One aggregate call with its states, its filter, and the values it has seen when distinct. */
final class BoundAggregate implements AutoCloseable {
  private final AggregateCall call;
  private final AggregateStep step;
  private final AggregateKernel kernel;
  private final BufferAllocator allocator;
  private final List<Integer> seenColumns = new ArrayList<>();
  private final KeyRows seenRows;
  private final KeyTable seen;
  private AggregateKernel.Accumulator states;

  BoundAggregate(
      AggregateCall call,
      AggregateStep step,
      AggregateKernel kernel,
      Schema input,
      List<Integer> groupKeys,
      BufferAllocator allocator) {
    this.call = call;
    this.step = step;
    this.kernel = kernel;
    this.allocator = allocator;
    if (call.distinct()) {
      seenColumns.addAll(groupKeys);
      seenColumns.addAll(call.arguments());
      seenRows = KeyRows.ofGroups(input.select(seenColumns).types());
      seen = new KeyTable(seenRows, allocator);
    } else {
      seenRows = null;
      seen = null;
    }
    states = kernel.create(allocator);
  }

  /** Bytes held. */
  long bytes() {
    return states.retainedBytes() + (seen == null ? 0 : seen.bytes());
  }

  /** Encodes what a distinct call needs; gives the bytes that the call then holds at most. */
  long prepare(Batch batch, long groupGrowthBytes) {
    long bytes = states.retainedBytes() + groupGrowthBytes;
    if (seen == null) {
      return bytes;
    }
    seenRows.encode(batch, seenColumns);
    return bytes + seen.bytesWith(seenRows);
  }

  /** Adds the rows of a prepared batch. */
  void add(Batch batch, int[] groups, int groupCount) {
    states.resize(groupCount);
    List<ColumnVector> arguments = call.arguments().stream().map(batch::column).toList();
    if (step == AggregateStep.FINAL) {
      states.merge(groups, arguments, rowsOf(batch));
      return;
    }
    if (seen == null && call.filter().isEmpty()) {
      states.add(groups, arguments, rowsOf(batch));
      return;
    }
    int[] kept = keptRows(batch);
    if (kept.length == 0) {
      return;
    }
    int[] selection = batch.selection();
    int[] rows = new int[kept.length];
    int[] keptGroups = new int[kept.length];
    for (int index = 0; index < kept.length; index++) {
      rows[index] = selection == null ? kept[index] : selection[kept[index]];
      keptGroups[index] = groups[kept[index]];
    }
    states.add(keptGroups, arguments, RowSet.of(batch.physicalRowCount(), rows, rows.length));
  }

  private static RowSet rowsOf(Batch batch) {
    return batch.hasSelection()
        ? RowSet.of(batch.physicalRowCount(), batch.selection(), batch.rowCount())
        : RowSet.all(batch.physicalRowCount());
  }

  /** The selected rows, by position, that pass the filter and were not seen before. */
  private int[] keptRows(Batch batch) {
    int rowCount = batch.rowCount();
    boolean[] passes = call.filter().isPresent() ? passes(batch) : null;
    int[] numbers = null;
    int known = 0;
    if (seen != null && passes == null) {
      known = seen.size();
      numbers = new int[rowCount];
      seen.assign(seenRows, numbers);
    } else if (seen != null) {
      return keptDistinct(batch, passes);
    }
    int[] kept = new int[rowCount];
    int count = 0;
    for (int row = 0; row < rowCount; row++) {
      if (passes != null && !passes[row]) {
        continue;
      }
      if (numbers != null) {
        if (numbers[row] < known) {
          continue;
        }
        // Numbers grow in row order: the first row of a new number is the one that brings it.
        known = numbers[row] + 1;
      }
      kept[count++] = row;
    }
    return java.util.Arrays.copyOf(kept, count);
  }

  /** Only rows that pass the filter may count as seen. */
  private int[] keptDistinct(Batch batch, boolean[] passes) {
    int rowCount = batch.rowCount();
    int[] selection = batch.selection();
    int[] passing = new int[rowCount];
    int[] physical = new int[rowCount];
    int count = 0;
    for (int row = 0; row < rowCount; row++) {
      if (passes[row]) {
        physical[count] = selection == null ? row : selection[row];
        passing[count++] = row;
      }
    }
    seenRows.encode(batch, seenColumns, physical, count);
    int known = seen.size();
    int[] numbers = new int[count];
    seen.assign(seenRows, numbers);
    int[] kept = new int[count];
    int keptCount = 0;
    for (int index = 0; index < count; index++) {
      if (numbers[index] >= known) {
        known = numbers[index] + 1;
        kept[keptCount++] = passing[index];
      }
    }
    return java.util.Arrays.copyOf(kept, keptCount);
  }

  private boolean[] passes(Batch batch) {
    int rowCount = batch.rowCount();
    ColumnRows filter =
        ColumnRows.of(
            batch.column(call.filter().getAsInt()), batch.selection(), rowCount, new int[0]);
    boolean[] passes = new boolean[rowCount];
    for (int row = 0; row < rowCount; row++) {
      int position = filter.positions()[row];
      passes[row] = position >= 0 && Bits.get(filter.values().values(), position);
    }
    return passes;
  }

  /** The output columns of a range of groups: states in a PARTIAL step, else the result. */
  List<ColumnVector> output(int first, int count, int groupCount) {
    states.resize(groupCount);
    return step == AggregateStep.PARTIAL
        ? states.states(first, count, allocator)
        : List.of(states.results(first, count, allocator));
  }

  /** The state columns of a range of groups, in any step. */
  List<ColumnVector> states(int first, int count, int groupCount) {
    states.resize(groupCount);
    return states.states(first, count, allocator);
  }

  /** Forgets all groups. */
  void clear() {
    states.close();
    states = kernel.create(allocator);
    if (seen != null) {
      seen.clear();
    }
  }

  @Override
  public void close() {
    states.close();
    if (seen != null) {
      seen.close();
    }
  }
}
