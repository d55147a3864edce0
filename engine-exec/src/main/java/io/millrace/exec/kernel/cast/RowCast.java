package io.millrace.exec.kernel.cast;

import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.FlatVector;
import io.millrace.core.batch.VectorBuilder;
import io.millrace.core.error.MillraceException;
import io.millrace.core.spi.RowSet;
import io.millrace.core.spi.ScalarKernel;
import io.millrace.exec.kernel.lane.Lane;
import io.millrace.exec.kernel.lane.RowLane;
import io.millrace.exec.kernel.lane.ValidityMask;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/** A conversion value by value, for types that are seldom converted. */
final class RowCast implements ScalarKernel {

  /** Converts one value. */
  @FunctionalInterface
  interface Conversion {

    /**
     * Appends exactly one value, or none when it does not fit.
     *
     * @return whether the value fits
     */
    boolean append(FlatVector source, int row, VectorBuilder target);
  }

  private final CastRequest request;
  private final Conversion conversion;
  private final RowLane input = new RowLane();
  private final ValidityMask mask = new ValidityMask();

  RowCast(CastRequest request, Conversion conversion) {
    this.request = request;
    this.conversion = conversion;
  }

  @Override
  public ColumnVector evaluate(
      List<ColumnVector> arguments, RowSet rows, BufferAllocator allocator) {
    mask.reset(rows.length(), arguments);
    input.bind(arguments.get(0));
    try (VectorBuilder builder = new VectorBuilder(request.to(), allocator)) {
      for (int from = 0; from < rows.count(); from += Lane.BLOCK_ROWS) {
        int count = Math.min(Lane.BLOCK_ROWS, rows.count() - from);
        input.load(rows, from, count);
        for (int lane = 0; lane < count; lane++) {
          int row = rows.row(from + lane);
          pad(builder, row);
          convert(row, input.rows()[lane], builder);
        }
      }
      pad(builder, rows.length());
      return builder.finish();
    }
  }

  private static void pad(VectorBuilder builder, int length) {
    while (builder.length() < length) {
      builder.appendNull();
    }
  }

  private void convert(int row, int sourceRow, VectorBuilder builder) {
    if (!mask.isValid(row)) {
      builder.appendNull();
    } else if (!appends(sourceRow, builder)) {
      if (!request.safe()) {
        throw CastBlock.failure(
            ValueText.of(request.from()).text(input.flat(), sourceRow),
            request.from(),
            request.to());
      }
      builder.appendNull();
    }
  }

  private boolean appends(int sourceRow, VectorBuilder builder) {
    int before = builder.length();
    try {
      return conversion.append(input.flat(), sourceRow, builder);
    } catch (MillraceException fault) {
      if (builder.length() != before) {
        throw fault;
      }
      return false;
    }
  }
}
