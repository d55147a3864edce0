package io.millrace.exec.operator.window;

import io.millrace.core.batch.Batch;
import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.Concatenation;
import io.millrace.core.batch.Gather;
import io.millrace.core.plan.PhysicalExpression;
import io.millrace.core.plan.WindowCall;
import io.millrace.core.plan.WindowFrame;
import io.millrace.core.spi.AggregateKernel;
import io.millrace.core.spi.RowSet;
import io.millrace.core.type.Field;
import io.millrace.core.type.Schema;
import io.millrace.exec.operator.key.ColumnRows;
import io.millrace.exec.operator.key.KeyRows;
import io.millrace.exec.operator.key.KeyTable;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.arrow.memory.BufferAllocator;

/**
 * An aggregate over the frames of rows. Over whole partitions it is computed once each; over other
 * frames from a {@link StateTree}. Distinct values of frames that move at both ends are looked for
 * frame by frame.
 */
final class AggregateEvaluator implements WindowEvaluator {
  /** Rows whose results are computed at a time. */
  private static final int CHUNK_ROWS = 4096;

  private final WindowCall call;
  private final AggregateKernel kernel;

  AggregateEvaluator(WindowCall call, AggregateKernel kernel) {
    this.call = call;
    this.kernel = kernel;
  }

  @Override
  public ColumnVector evaluate(WindowBlock block, FrameRanges frames, BufferAllocator allocator) {
    List<ColumnVector> arguments = new ArrayList<>();
    try {
      for (PhysicalExpression argument : call.arguments()) {
        arguments.add(block.values(argument, allocator));
      }
      RowSet passing = passing(block);
      if (call.frame().isWhole()) {
        RowSet rows = call.distinct() ? firsts(block, arguments, passing, allocator) : passing;
        return ofPartitions(block, arguments, rows, allocator);
      }
      if (!call.distinct()) {
        return ofFrames(frames, arguments, passing, allocator);
      }
      boolean fromPartitionStart =
          call.frame().start().edge() == WindowFrame.Edge.UNBOUNDED_PRECEDING && !frames.excludes();
      if (fromPartitionStart) {
        RowSet rows = firsts(block, arguments, passing, allocator);
        return ofFrames(frames, arguments, rows, allocator);
      }
      return ofDistinctFrames(block, frames, arguments, passing, allocator);
    } finally {
      arguments.forEach(ColumnVector::close);
    }
  }

  /** The rows for which the filter is true. */
  private RowSet passing(WindowBlock block) {
    int count = block.rowCount();
    if (call.filter().isEmpty()) {
      return RowSet.all(count);
    }
    ColumnRows filter =
        ColumnRows.of(block.column(call.filter().getAsInt()), null, count, new int[0]);
    int[] rows = new int[count];
    int passing = 0;
    for (int row = 0; row < count; row++) {
      int position = filter.positions()[row];
      if (position >= 0 && filter.values().booleanAt(position)) {
        rows[passing++] = row;
      }
    }
    return RowSet.of(count, rows, passing);
  }

  /** Numbers of the argument values: equal values, equal number. */
  private static int[] numbers(
      List<ColumnVector> arguments, int rowCount, BufferAllocator allocator) {
    List<Field> fields =
        arguments.stream().map(argument -> Field.nullable("value", argument.type())).toList();
    List<Integer> columns = IntStream.range(0, arguments.size()).boxed().toList();
    Schema schema = new Schema(fields);
    KeyRows keys = KeyRows.ofGroups(schema.types());
    int[] numbers = new int[rowCount];
    try (Batch batch =
            new Batch(schema, arguments.stream().map(ColumnVector::retain).toList(), rowCount);
        KeyTable table = new KeyTable(keys, allocator)) {
      keys.encode(batch, columns);
      table.assign(keys, numbers);
    }
    return numbers;
  }

  /** Of the rows, those whose value has not come before in their partition. */
  private static RowSet firsts(
      WindowBlock block, List<ColumnVector> arguments, RowSet rows, BufferAllocator allocator) {
    int[] numbers = numbers(arguments, block.rowCount(), allocator);
    int[] partitions = block.partitions();
    int[] seenIn = new int[block.rowCount()];
    int[] kept = new int[rows.count()];
    int count = 0;
    for (int position = 0; position < rows.count(); position++) {
      int row = rows.row(position);
      if (seenIn[numbers[row]] != partitions[row] + 1) {
        seenIn[numbers[row]] = partitions[row] + 1;
        kept[count++] = row;
      }
    }
    return RowSet.of(block.rowCount(), kept, count);
  }

  private ColumnVector ofPartitions(
      WindowBlock block, List<ColumnVector> arguments, RowSet rows, BufferAllocator allocator) {
    int[] partitions = block.partitions();
    int[] groups = partitions;
    if (!rows.isAll()) {
      groups = new int[rows.count()];
      for (int position = 0; position < groups.length; position++) {
        groups[position] = partitions[rows.row(position)];
      }
    }
    int count = block.partitionCount();
    try (AggregateKernel.Accumulator states = kernel.create(allocator)) {
      states.resize(count);
      states.add(groups, arguments, rows);
      try (ColumnVector results = states.results(0, count, allocator)) {
        return Gather.rows(results, partitions, block.rowCount(), allocator);
      }
    }
  }

  private ColumnVector ofFrames(
      FrameRanges frames, List<ColumnVector> arguments, RowSet rows, BufferAllocator allocator) {
    try (StateTree tree = new StateTree(kernel, arguments, rows, allocator)) {
      return inChunks(
          rows.length(),
          allocator,
          (first, count, target) -> mergeRanges(tree, frames, first, count, target));
    }
  }

  /** Adds the frames of a few rows to the groups of an accumulator. */
  @FunctionalInterface
  private interface Chunk {
    void fill(int first, int count, AggregateKernel.Accumulator target);
  }

  private ColumnVector inChunks(int rowCount, BufferAllocator allocator, Chunk chunk) {
    List<ColumnVector> parts = new ArrayList<>();
    try {
      for (int first = 0; first < rowCount; first += CHUNK_ROWS) {
        int count = Math.min(CHUNK_ROWS, rowCount - first);
        try (AggregateKernel.Accumulator states = kernel.create(allocator)) {
          states.resize(count);
          chunk.fill(first, count, states);
          parts.add(states.results(0, count, allocator));
        }
      }
      return parts.size() == 1 ? parts.getFirst().retain() : Concatenation.of(parts, allocator);
    } finally {
      parts.forEach(ColumnVector::close);
    }
  }

  /** The first parts of all frames, then the second, then the third. */
  private static void mergeRanges(
      StateTree tree,
      FrameRanges frames,
      int first,
      int count,
      AggregateKernel.Accumulator target) {
    RangeList[] parts = {new RangeList(count), new RangeList(count), new RangeList(count)};
    int[] next = new int[1];
    for (int row = first; row < first + count; row++) {
      next[0] = 0;
      frames.forEach(
          row, (current, start, end) -> parts[next[0]++].add(current - first, start, end));
    }
    for (RangeList part : parts) {
      tree.merge(target, part.groups, part.starts, part.ends, part.count);
    }
  }

  private static final class RangeList {
    final int[] groups;
    final int[] starts;
    final int[] ends;
    int count;

    RangeList(int limit) {
      groups = new int[limit];
      starts = new int[limit];
      ends = new int[limit];
    }

    void add(int group, int start, int end) {
      groups[count] = group;
      starts[count] = start;
      ends[count++] = end;
    }
  }

  private ColumnVector ofDistinctFrames(
      WindowBlock block,
      FrameRanges frames,
      List<ColumnVector> arguments,
      RowSet rows,
      BufferAllocator allocator) {
    int rowCount = block.rowCount();
    int[] numbers = numbers(arguments, rowCount, allocator);
    boolean[] passes = new boolean[rowCount];
    for (int position = 0; position < rows.count(); position++) {
      passes[rows.row(position)] = true;
    }
    int[] seenBy = new int[rowCount];
    StateTree.PairBuffer pairs = new StateTree.PairBuffer();
    return inChunks(
        rowCount,
        allocator,
        (first, count, target) -> {
          for (int row = first; row < first + count; row++) {
            frames.forEach(
                row,
                (current, start, end) -> {
                  for (int other = start; other < end; other++) {
                    if (passes[other] && seenBy[numbers[other]] != current + 1) {
                      seenBy[numbers[other]] = current + 1;
                      if (pairs.add(current - first, other)) {
                        addPairs(pairs, arguments, target, allocator);
                      }
                    }
                  }
                });
          }
          addPairs(pairs, arguments, target, allocator);
        });
  }

  private static void addPairs(
      StateTree.PairBuffer pairs,
      List<ColumnVector> arguments,
      AggregateKernel.Accumulator target,
      BufferAllocator allocator) {
    List<ColumnVector> values = new ArrayList<>();
    try {
      for (ColumnVector argument : arguments) {
        values.add(Gather.rows(argument, pairs.rows, pairs.count, allocator));
      }
      target.add(pairs.groups, values, RowSet.all(pairs.count));
    } finally {
      values.forEach(ColumnVector::close);
      pairs.count = 0;
    }
  }
}
