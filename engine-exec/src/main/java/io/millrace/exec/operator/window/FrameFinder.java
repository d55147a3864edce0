package io.millrace.exec.operator.window;

import io.millrace.core.batch.ColumnVector;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.plan.OrderKey;
import io.millrace.core.plan.PhysicalExpression;
import io.millrace.core.plan.WindowFrame;
import io.millrace.exec.kernel.logic.ValueOrder;
import io.millrace.exec.operator.key.ColumnRows;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/** Finds the frames of the rows of a block. */
final class FrameFinder {
  private final WindowFrame frame;
  private final List<OrderKey> orderKeys;

  /**
   * @param orderKeys a frame of values of the sort key has exactly one
   */
  FrameFinder(WindowFrame frame, List<OrderKey> orderKeys) {
    this.frame = frame;
    this.orderKeys = orderKeys;
  }

  FrameRanges find(WindowBlock block, BufferAllocator allocator) {
    int count = block.rowCount();
    int[] starts = new int[count];
    int[] ends = new int[count];
    fill(block, frame.start(), true, starts, allocator);
    fill(block, frame.end(), false, ends, allocator);
    for (int row = 0; row < count; row++) {
      ends[row] = Math.max(ends[row], starts[row]);
    }
    return new FrameRanges(block, frame.exclusion(), starts, ends);
  }

  /** Fills the first row of each frame, or its end. */
  private void fill(
      WindowBlock block,
      WindowFrame.Bound bound,
      boolean isStart,
      int[] target,
      BufferAllocator allocator) {
    int count = block.rowCount();
    switch (bound.edge()) {
      case UNBOUNDED_PRECEDING -> {
        for (int row = 0; row < count; row++) {
          target[row] = block.partitionStart(row);
        }
      }
      case UNBOUNDED_FOLLOWING -> {
        for (int row = 0; row < count; row++) {
          target[row] = block.partitionEnd(row);
        }
      }
      case CURRENT_ROW -> {
        boolean rows = frame.unit() == WindowFrame.Unit.ROWS;
        for (int row = 0; row < count; row++) {
          target[row] =
              isStart ? rows ? row : block.peerStart(row) : rows ? row + 1 : block.peerEnd(row);
        }
      }
      case PRECEDING, FOLLOWING -> {
        PhysicalExpression offset = bound.offset().orElseThrow();
        boolean forward = bound.edge() == WindowFrame.Edge.FOLLOWING;
        try (ColumnVector values = block.values(offset, allocator)) {
          ColumnRows rows = ColumnRows.of(values, null, count, new int[0]);
          switch (frame.unit()) {
            case ROWS -> countRows(block, rows, forward, isStart, target);
            case GROUPS -> countGroups(block, rows, forward, isStart, target);
            case RANGE -> findValues(block, rows, isStart, target);
          }
        }
      }
    }
  }

  private static long count(ColumnRows offsets, int row) {
    int position = offsets.positions()[row];
    long count = position < 0 ? -1 : offsets.values().longAt(position);
    if (count < 0) {
      throw new MillraceException(
          ErrorCode.INVALID_ARGUMENT,
          "The offset of a frame is neither negative nor null: "
              + (position < 0 ? "null" : String.valueOf(count)));
    }
    return count;
  }

  private static void countRows(
      WindowBlock block, ColumnRows offsets, boolean forward, boolean isStart, int[] target) {
    for (int row = 0; row < target.length; row++) {
      long by = count(offsets, row);
      // no partition has more rows than an int counts
      long place = row + (forward ? by : -by) + (isStart ? 0 : 1);
      long saturated = forward && place < 0 ? Long.MAX_VALUE : place;
      target[row] = (int) Math.clamp(saturated, block.partitionStart(row), block.partitionEnd(row));
    }
  }

  private static void countGroups(
      WindowBlock block, ColumnRows offsets, boolean forward, boolean isStart, int[] target) {
    int[] peerStarts = block.peerStarts();
    int[] peers = block.peers();
    for (int row = 0; row < target.length; row++) {
      long by = Math.min(count(offsets, row), Integer.MAX_VALUE);
      int first = peers[block.partitionStart(row)];
      int end = peers[block.partitionEnd(row) - 1] + 1;
      long group = peers[row] + (forward ? by : -by) + (isStart ? 0 : 1);
      target[row] = peerStarts[(int) Math.clamp(group, first, end)];
    }
  }

  /** Where the sort key reaches the value, or, for an end, where it goes past it. */
  private void findValues(WindowBlock block, ColumnRows edges, boolean isStart, int[] target) {
    OrderKey key = orderKeys.getFirst();
    ColumnVector column = block.column(key.column());
    ColumnRows keys = ColumnRows.of(column, null, block.rowCount(), new int[0]);
    ValueOrder order = ValueOrder.of(column.type());
    int[] partitionStarts = block.partitionStarts();
    for (int partition = 0; partition < block.partitionCount(); partition++) {
      int from = partitionStarts[partition];
      int to = partitionStarts[partition + 1];
      int firstValue = from;
      int endValue = to;
      while (firstValue < to && keys.positions()[firstValue] < 0) {
        firstValue++;
      }
      while (endValue > firstValue && keys.positions()[endValue - 1] < 0) {
        endValue--;
      }
      int near = firstValue;
      for (int row = from; row < to; row++) {
        int edge = edges.positions()[row];
        if (keys.positions()[row] < 0) {
          // the peers of a null are the nulls
          target[row] = isStart ? block.peerStart(row) : block.peerEnd(row);
        } else if (edge < 0) {
          throw new MillraceException(
              ErrorCode.INVALID_ARGUMENT,
              "The offset of a frame is neither negative nor null: null");
        } else {
          near = find(keys, order, edges, edge, isStart, firstValue, endValue, near);
          target[row] = near;
        }
      }
    }
  }

  /** Searches from where the row before ended: edges mostly move by little. */
  private int find(
      ColumnRows keys,
      ValueOrder order,
      ColumnRows edges,
      int edge,
      boolean isStart,
      int from,
      int to,
      int near) {
    int low = from;
    int high = to;
    if (near > from && !isBefore(keys, order, near - 1, edges, edge, isStart)) {
      high = near - 1;
    } else {
      low = near;
      int step = 1;
      while (low + step < to && isBefore(keys, order, low + step - 1, edges, edge, isStart)) {
        low += step;
        step <<= 1;
      }
      high = Math.min(to, low + step);
    }
    while (low < high) {
      int middle = low + high >>> 1;
      if (isBefore(keys, order, middle, edges, edge, isStart)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Whether the key of a row comes before the start, or not after the end. */
  private boolean isBefore(
      ColumnRows keys, ValueOrder order, int row, ColumnRows edges, int edge, boolean isStart) {
    int compared = order.compare(keys.values(), keys.positions()[row], edges.values(), edge);
    int directed = orderKeys.getFirst().descending() ? -compared : compared;
    return isStart ? directed < 0 : directed <= 0;
  }
}
