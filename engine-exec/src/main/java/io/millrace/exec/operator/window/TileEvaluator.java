package io.millrace.exec.operator.window;

import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.VectorBuilder;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.plan.PhysicalExpression;
import io.millrace.core.type.DataType;
import io.millrace.exec.operator.key.ColumnRows;
import org.apache.arrow.memory.BufferAllocator;

/**
 * {@code ntile}: the partition in parts whose sizes differ by one at most, larger ones first; null
 * for a null count.
 */
final class TileEvaluator implements WindowEvaluator {
  private final PhysicalExpression parts;

  TileEvaluator(PhysicalExpression parts) {
    this.parts = parts;
  }

  @Override
  public ColumnVector evaluate(WindowBlock block, FrameRanges frames, BufferAllocator allocator) {
    try (ColumnVector counts = block.values(parts, allocator);
        VectorBuilder result = new VectorBuilder(DataType.INT64, allocator)) {
      ColumnRows rows = ColumnRows.of(counts, null, block.rowCount(), new int[0]);
      for (int row = 0; row < block.rowCount(); row++) {
        int position = rows.positions()[row];
        if (position < 0) {
          result.appendNull();
        } else {
          result.appendLong(tile(block, row, rows.values().longAt(position)));
        }
      }
      return result.finish();
    }
  }

  private static long tile(WindowBlock block, int row, long count) {
    if (count < 1) {
      throw new MillraceException(
          ErrorCode.INVALID_ARGUMENT, "ntile makes one part or more: " + count);
    }
    int start = block.partitionStart(row);
    long size = (long) block.partitionEnd(row) - start;
    long place = (long) row - start;
    long small = size / count;
    long largeParts = size % count;
    long inLarge = largeParts * (small + 1);
    return place < inLarge
        ? place / (small + 1) + 1
        : largeParts + (place - inLarge) / Math.max(1, small) + 1;
  }
}
