package io.millrace.exec.kernel.cast;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.spi.ScalarKernel;
import io.millrace.core.type.DataType;
import io.millrace.core.type.StorageTypes;
import java.util.Optional;

/** Kernels of conversions. */
public final class CastKernels {
  private CastKernels() {}

  /**
   * A new kernel that converts values of one type to another; null gives null.
   *
   * @param safe whether a value that does not fit becomes null instead of an INVALID_CAST error
   * @throws MillraceException TYPE_MISMATCH when there is no conversion between the types
   */
  public static ScalarKernel of(DataType from, DataType to, boolean safe) {
    return find(new CastRequest(from, to, safe))
        .orElseThrow(
            () ->
                new MillraceException(
                    ErrorCode.TYPE_MISMATCH,
                    "There is no conversion between these types: " + from + " to " + to));
  }

  /** Whether there is a conversion. */
  public static boolean exists(DataType from, DataType to) {
    return find(new CastRequest(from, to, false)).isPresent();
  }

  static Optional<ScalarKernel> find(CastRequest request) {
    DataType from = request.from();
    DataType to = request.to();
    if (StorageTypes.sameShape(from, to)) {
      return Optional.of(new RetypeKernel(to));
    }
    return switch (from) {
      case DataType.Null type -> Optional.of(new NullCast(to));
      case DataType.Int type -> IntegerCasts.of(type, request);
      case DataType.Float type -> FloatCasts.of(type, request);
      case DataType.Decimal type -> DecimalCasts.of(type, request);
      default -> Optional.empty();
    };
  }
}
