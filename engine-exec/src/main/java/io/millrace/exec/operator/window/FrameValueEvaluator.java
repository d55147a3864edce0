package io.millrace.exec.operator.window;

import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.Gather;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.plan.PhysicalExpression;
import io.millrace.core.plan.WindowCall;
import io.millrace.exec.operator.key.ColumnRows;
import org.apache.arrow.memory.BufferAllocator;

/** {@code first_value}, {@code last_value} and {@code nth_value}: a value of the row's frame. */
final class FrameValueEvaluator implements WindowEvaluator {
  private final WindowCall call;
  private final boolean fromEnd;

  /** The row that is looked for, and how many rows are still before it. */
  private long remaining;

  private int found;

  FrameValueEvaluator(WindowCall call) {
    this.call = call;
    this.fromEnd = call.function().equals("last_value");
  }

  @Override
  public ColumnVector evaluate(WindowBlock block, FrameRanges frames, BufferAllocator allocator) {
    int count = block.rowCount();
    PhysicalExpression value = call.arguments().getFirst();
    int[] sources = new int[count];
    try (ColumnVector values = block.values(value, allocator)) {
      ValuePlaces places = call.ignoreNulls() ? new ValuePlaces(values, count) : null;
      if (call.arguments().size() > 1) {
        try (ColumnVector numbers = block.values(call.arguments().get(1), allocator)) {
          ColumnRows rows = ColumnRows.of(numbers, null, count, new int[0]);
          for (int row = 0; row < count; row++) {
            int position = rows.positions()[row];
            sources[row] =
                position < 0 ? -1 : nth(frames, row, rows.values().longAt(position), places);
          }
        }
      } else {
        for (int row = 0; row < count; row++) {
          sources[row] = nth(frames, row, 1, places);
        }
      }
      return Gather.rows(values, sources, count, allocator);
    }
  }

  /** The nth row of a frame, from its start or its end; −1 without one. */
  private int nth(FrameRanges frames, int row, long number, ValuePlaces places) {
    if (number < 1) {
      throw new MillraceException(
          ErrorCode.INVALID_ARGUMENT, "Rows of a frame count from 1: " + number);
    }
    if (!frames.excludes() && places == null) {
      long distance = number - 1;
      int size = frames.ends()[row] - frames.starts()[row];
      if (distance >= size) {
        return -1;
      }
      return fromEnd
          ? frames.ends()[row] - 1 - (int) distance
          : frames.starts()[row] + (int) distance;
    }
    remaining = number;
    found = -1;
    if (fromEnd) {
      // the last range that has a row wins
      frames.forEach(
          row,
          (current, start, end) -> {
            int last = places == null ? end - 1 : places.nthFromEnd(start, end, 1);
            found = last < 0 ? found : last;
          });
    } else {
      frames.forEach(row, (current, start, end) -> advance(start, end, places));
    }
    return found;
  }

  private void advance(int start, int end, ValuePlaces places) {
    if (found >= 0) {
      return;
    }
    int size = places == null ? end - start : places.count(start, end);
    if (remaining > size) {
      remaining -= size;
    } else {
      found = places == null ? start + (int) remaining - 1 : places.nth(start, end, remaining);
    }
  }
}
