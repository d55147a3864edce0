package io.millrace.exec.operator.window;

import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.Concatenation;
import io.millrace.core.batch.Gather;
import io.millrace.core.plan.PhysicalExpression;
import io.millrace.core.plan.WindowCall;
import io.millrace.exec.operator.key.ColumnRows;
import java.util.List;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;

/** {@code lag} and {@code lead}: the value of another row of the partition. */
final class ShiftEvaluator implements WindowEvaluator {
  private final PhysicalExpression value;
  private final Optional<PhysicalExpression> offset;
  private final Optional<PhysicalExpression> otherwise;
  private final boolean forward;
  private final boolean ignoreNulls;

  ShiftEvaluator(WindowCall call, boolean forward) {
    List<PhysicalExpression> arguments = call.arguments();
    this.value = arguments.getFirst();
    this.offset = arguments.size() > 1 ? Optional.of(arguments.get(1)) : Optional.empty();
    this.otherwise = arguments.size() > 2 ? Optional.of(arguments.get(2)) : Optional.empty();
    this.forward = forward;
    this.ignoreNulls = call.ignoreNulls();
  }

  @Override
  public ColumnVector evaluate(WindowBlock block, FrameRanges frames, BufferAllocator allocator) {
    int count = block.rowCount();
    int[] sources = new int[count];
    try (ColumnVector values = block.values(value, allocator)) {
      ValuePlaces places = ignoreNulls ? new ValuePlaces(values, count) : null;
      if (offset.isPresent()) {
        try (ColumnVector offsets = block.values(offset.get(), allocator)) {
          ColumnRows rows = ColumnRows.of(offsets, null, count, new int[0]);
          for (int row = 0; row < count; row++) {
            int position = rows.positions()[row];
            // a null offset gives null, not the default
            sources[row] =
                position < 0
                    ? Integer.MIN_VALUE
                    : source(block, row, rows.values().longAt(position), places);
          }
        }
      } else {
        for (int row = 0; row < count; row++) {
          sources[row] = source(block, row, 1, places);
        }
      }
      return gathered(block, values, sources, allocator);
    }
  }

  /** The row whose value is taken; −1 without one. */
  private int source(WindowBlock block, int row, long by, ValuePlaces places) {
    boolean later = forward == by >= 0;
    long distance = by == Long.MIN_VALUE ? Long.MAX_VALUE : Math.abs(by);
    int start = block.partitionStart(row);
    int end = block.partitionEnd(row);
    if (places != null && distance > 0) {
      return later ? places.nth(row + 1, end, distance) : places.nthFromEnd(start, row, distance);
    }
    if (distance > end - start) {
      return -1;
    }
    int source = later ? row + (int) distance : row - (int) distance;
    return source < start || source >= end ? -1 : source;
  }

  private ColumnVector gathered(
      WindowBlock block, ColumnVector values, int[] sources, BufferAllocator allocator) {
    int count = sources.length;
    if (otherwise.isEmpty()) {
      for (int row = 0; row < count; row++) {
        sources[row] = Math.max(-1, sources[row]);
      }
      return Gather.rows(values, sources, count, allocator);
    }
    for (int row = 0; row < count; row++) {
      int source = sources[row];
      sources[row] = source >= 0 ? source : source == -1 ? count + row : -1;
    }
    try (ColumnVector defaults = block.values(otherwise.get(), allocator);
        ColumnVector both = Concatenation.of(List.of(values, defaults), allocator)) {
      return Gather.rows(both, sources, count, allocator);
    }
  }
}
