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
    if (StorageTypes.sameShape(from, to) || isSameStorage(from, to)) {
      return Optional.of(new RetypeKernel(to));
    }
    if (from instanceof DataType.Null) {
      return Optional.of(new NullCast(to));
    }
    if (to instanceof DataType.Text && hasText(from)) {
      return Optional.of(new ToText(from));
    }
    return switch (from) {
      case DataType.Bool type -> BooleanCasts.of(request);
      case DataType.Int type -> IntegerCasts.of(type, request);
      case DataType.Float type -> FloatCasts.of(type, request);
      case DataType.Decimal type -> DecimalCasts.of(type, request);
      case DataType.Text type -> TextCasts.of(request);
      case DataType.Binary type -> BinaryCasts.of(request);
      case DataType.FixedBinary type -> BinaryCasts.of(request);
      case DataType.Uuid type -> BinaryCasts.of(request);
      case DataType.Date type -> TemporalCasts.of(request);
      case DataType.Time type -> TemporalCasts.of(request);
      case DataType.Timestamp type -> TemporalCasts.of(request);
      case DataType.Duration type -> TemporalCasts.of(request);
      default -> {
        Optional<ScalarKernel> media = MediaCasts.of(request);
        yield media.isPresent() ? media : NestedCasts.of(request);
      }
    };
  }

  /** Types whose values are the same bytes: an embedding is a list that cannot hold null. */
  private static boolean isSameStorage(DataType from, DataType to) {
    boolean widens =
        from instanceof DataType.Embedding && to instanceof DataType.FixedList
            || from instanceof DataType.FixedShapeTensor && to instanceof DataType.FixedList
            || from instanceof DataType.Uuid && to instanceof DataType.FixedBinary
            || from instanceof DataType.FixedBinary && to instanceof DataType.Uuid;
    return widens && StorageTypes.sameShape(StorageTypes.of(from), StorageTypes.of(to));
  }

  /** Binary is text when it is UTF-8; media and references have no text. */
  private static boolean hasText(DataType type) {
    return switch (type) {
      case DataType.Binary binary -> false;
      case DataType.FixedBinary binary -> false;
      case DataType.Image image -> false;
      case DataType.FixedShapeImage image -> false;
      case DataType.Tensor tensor -> false;
      case DataType.FixedShapeTensor tensor -> false;
      case DataType.SparseTensor tensor -> false;
      case DataType.Reference reference -> false;
      default -> true;
    };
  }
}
