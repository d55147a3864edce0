package io.millrace.exec.operator.window;

import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.Gather;
import io.millrace.core.spi.AggregateKernel;
import io.millrace.core.spi.RowSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/**
 * The states of an aggregate over rows, over runs of a few rows, over runs of these and so on, so
 * that the state of any range is merged from few of them. States are merged in the order of the
 * rows.
 */
final class StateTree implements AutoCloseable {
  /** States below one of the next level. More make levels fewer and their ends longer. */
  private static final int FANOUT = 4;

  private final AggregateKernel kernel;
  private final BufferAllocator allocator;
  private final List<List<ColumnVector>> levels = new ArrayList<>();
  private final PairBuffer pairs = new PairBuffer();

  /**
   * @param rows the rows that count; the others have empty states
   */
  StateTree(
      AggregateKernel kernel,
      List<ColumnVector> arguments,
      RowSet rows,
      BufferAllocator allocator) {
    this.kernel = kernel;
    this.allocator = allocator;
    int count = rows.length();
    int[] groups = new int[rows.count()];
    for (int position = 0; position < groups.length; position++) {
      groups[position] = rows.row(position);
    }
    try (AggregateKernel.Accumulator states = kernel.create(allocator)) {
      states.resize(count);
      states.add(groups, arguments, rows);
      levels.add(states.states(0, count, allocator));
      while (count > FANOUT) {
        count = addLevel(count);
      }
    } catch (RuntimeException | Error failure) {
      close();
      throw failure;
    }
  }

  private int addLevel(int count) {
    int above = (count + FANOUT - 1) / FANOUT;
    int[] groups = new int[count];
    for (int node = 0; node < count; node++) {
      groups[node] = node / FANOUT;
    }
    try (AggregateKernel.Accumulator states = kernel.create(allocator)) {
      states.resize(above);
      states.merge(groups, levels.getLast(), RowSet.all(count));
      levels.add(states.states(0, above, allocator));
    }
    return above;
  }

  /** Rough bytes a row of the tree and of what {@link #merge} needs. */
  static long bytesPerRow() {
    return 96;
  }

  /**
   * Merges the rows of ranges into groups of an accumulator.
   *
   * @param starts changed on the way
   * @param ends changed on the way
   */
  void merge(
      AggregateKernel.Accumulator target, int[] groups, int[] starts, int[] ends, int count) {
    int[][] restStarts = new int[levels.size()][];
    int[][] restEnds = new int[levels.size()][];
    int level = 0;
    boolean higher = count > 0;
    while (higher) {
      higher = false;
      restStarts[level] = new int[count];
      restEnds[level] = new int[count];
      for (int index = 0; index < count; index++) {
        int start = starts[index];
        int end = ends[index];
        int startAbove = (start + FANOUT - 1) / FANOUT;
        int endAbove = end / FANOUT;
        if (startAbove >= endAbove || level == levels.size() - 1) {
          addPairs(target, level, groups[index], start, end);
          starts[index] = 0;
          ends[index] = 0;
        } else {
          addPairs(target, level, groups[index], start, startAbove * FANOUT);
          restStarts[level][index] = endAbove * FANOUT;
          restEnds[level][index] = end;
          starts[index] = startAbove;
          ends[index] = endAbove;
          higher = true;
        }
      }
      flush(target, level);
      level++;
    }
    for (int below = level - 1; below >= 0; below--) {
      for (int index = 0; index < count; index++) {
        addPairs(target, below, groups[index], restStarts[below][index], restEnds[below][index]);
      }
      flush(target, below);
    }
  }

  private void addPairs(
      AggregateKernel.Accumulator target, int level, int group, int start, int end) {
    for (int node = start; node < end; node++) {
      if (pairs.add(group, node)) {
        flush(target, level);
      }
    }
  }

  private void flush(AggregateKernel.Accumulator target, int level) {
    if (pairs.count == 0) {
      return;
    }
    List<ColumnVector> states = new ArrayList<>();
    try {
      for (ColumnVector column : levels.get(level)) {
        states.add(Gather.flatten(column, pairs.rows, pairs.count, allocator));
      }
      target.merge(pairs.groups, states, RowSet.all(pairs.count));
    } finally {
      states.forEach(ColumnVector::close);
      pairs.count = 0;
    }
  }

  @Override
  public void close() {
    levels.forEach(level -> level.forEach(ColumnVector::close));
    levels.clear();
  }

  /** Groups, each with a row to add to it. */
  static final class PairBuffer {
    static final int LIMIT = 1 << 15;

    int[] groups = new int[1024];
    int[] rows = new int[1024];
    int count;

    /** Whether it is full now. */
    boolean add(int group, int row) {
      if (count == rows.length) {
        groups = Arrays.copyOf(groups, 2 * count);
        rows = Arrays.copyOf(rows, 2 * count);
      }
      groups[count] = group;
      rows[count++] = row;
      return count == LIMIT;
    }
  }
}
