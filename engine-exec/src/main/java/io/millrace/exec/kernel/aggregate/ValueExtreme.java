package io.millrace.exec.kernel.aggregate;

import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.FlatVector;
import io.millrace.core.spi.RowSet;
import io.millrace.core.type.DataType;
import io.millrace.exec.kernel.lane.Lane;
import io.millrace.exec.kernel.lane.RowLane;
import io.millrace.exec.kernel.logic.ValueOrder;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;
import org.apache.arrow.memory.BufferAllocator;

/**
 * The least, greatest or first value of any type, text and nested ones above all; null over no
 * values. Winners of a batch are copied once, at its end.
 */
final class ValueExtreme extends LaneAccumulator {
  /** The group has no value. */
  private static final long NONE = 0;

  private final ValueOrder order;
  private final IntPredicate wins;
  private final ValuePool pool;
  private final RowLane input = new RowLane();

  /**
   * For each group: 0 for no value, a positive 1 + place in the pool, or a negative −1 − row of the
   * current batch.
   */
  private long[] best = new long[0];

  private int[] touched = new int[0];
  private int touchedCount;

  /**
   * @param wins whether a value replaces the best one, by the sign of their comparison
   */
  ValueExtreme(DataType type, IntPredicate wins, BufferAllocator allocator) {
    this.order = ValueOrder.of(type);
    this.wins = wins;
    this.pool = new ValuePool(type, allocator);
  }

  @Override
  void grow(int newGroupCount) {
    if (best.length < newGroupCount) {
      best = Arrays.copyOf(best, Math.max(newGroupCount, best.length * 2));
    }
  }

  @Override
  List<Lane> inputs() {
    return List.of(input);
  }

  @Override
  List<Lane> stateInputs() {
    return List.of(input);
  }

  @Override
  void begin(List<ColumnVector> columns, RowSet rows) {
    touchedCount = 0;
    if (touched.length < rows.count()) {
      touched = new int[rows.count()];
    }
  }

  @Override
  void accumulate(int[] groups, int from, int count) {
    FlatVector values = input.flat();
    int[] rows = input.rows();
    for (int lane = 0; lane < count; lane++) {
      int group = groups[from + lane];
      int row = rows[lane];
      long current = best[group];
      if (current == NONE || wins.test(compare(values, row, current))) {
        if (current >= 0) {
          touched[touchedCount++] = group;
        }
        best[group] = -1L - row;
      }
    }
  }

  private int compare(FlatVector values, int row, long current) {
    return current < 0
        ? order.compare(values, row, values, (int) (-1 - current))
        : pool.compare(order, values, row, current - 1);
  }

  @Override
  void combine(int[] groups, int from, int count) {
    accumulate(groups, from, count);
  }

  @Override
  void end() {
    if (touchedCount == 0) {
      return;
    }
    int[] winners = new int[touchedCount];
    for (int index = 0; index < touchedCount; index++) {
      winners[index] = (int) (-1 - best[touched[index]]);
    }
    long place = pool.append(input.flat(), winners, touchedCount);
    for (int index = 0; index < touchedCount; index++) {
      best[touched[index]] = 1 + place + index;
    }
    touchedCount = 0;
    compactWhenHalfIsStale();
  }

  private void compactWhenHalfIsStale() {
    if (pool.isWorthCompacting(groupCount())) {
      int[] places = places(0, groupCount());
      pool.compact(places);
      long place = 0;
      for (int group = 0; group < groupCount(); group++) {
        if (best[group] != NONE) {
          best[group] = 1 + place++;
        }
      }
    }
  }

  /** The place of each group's value, −1 for none. */
  private int[] places(int firstGroup, int count) {
    int[] places = new int[count];
    for (int index = 0; index < count; index++) {
      places[index] = (int) (best[firstGroup + index] - 1);
    }
    return places;
  }

  @Override
  public List<ColumnVector> states(int firstGroup, int groupCount, BufferAllocator allocator) {
    return List.of(results(firstGroup, groupCount, allocator));
  }

  @Override
  public FlatVector results(int firstGroup, int groupCount, BufferAllocator allocator) {
    return pool.gather(places(firstGroup, groupCount), allocator);
  }

  @Override
  public long retainedBytes() {
    return pool.bytes() + 8L * best.length;
  }

  @Override
  public void close() {
    pool.close();
  }
}
