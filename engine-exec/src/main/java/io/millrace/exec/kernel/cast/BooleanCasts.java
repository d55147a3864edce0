package io.millrace.exec.kernel.cast;

import io.millrace.core.batch.FlatVector;
import io.millrace.core.batch.VectorBuilder;
import io.millrace.core.spi.ScalarKernel;
import io.millrace.core.type.DataType;
import java.math.BigDecimal;
import java.util.Optional;

/** Conversions of booleans to numbers: 1 and 0. */
final class BooleanCasts {
  private BooleanCasts() {}

  static Optional<ScalarKernel> of(CastRequest request) {
    return switch (request.to()) {
      case DataType.Int to ->
          Optional.of(
              new RowCast(
                  request,
                  (source, row, target) -> {
                    target.appendLong(source.booleanAt(row) ? 1 : 0);
                    return true;
                  }));
      case DataType.Float to ->
          Optional.of(
              new RowCast(
                  request,
                  (source, row, target) -> {
                    target.appendDouble(source.booleanAt(row) ? 1 : 0);
                    return true;
                  }));
      case DataType.Decimal to -> Optional.of(new RowCast(request, BooleanCasts::appendDecimal));
      default -> Optional.empty();
    };
  }

  private static boolean appendDecimal(FlatVector source, int row, VectorBuilder target) {
    target.appendDecimal(source.booleanAt(row) ? BigDecimal.ONE : BigDecimal.ZERO);
    return true;
  }
}
