package io.millrace.exec.kernel.cast;

import io.millrace.core.batch.ImageValue;
import io.millrace.core.batch.TensorValue;
import io.millrace.core.spi.ScalarKernel;
import io.millrace.core.type.DataType;
import java.util.Arrays;
import java.util.Optional;

/**
 * Conversions between images or tensors of any and of one shape, without changing a sample; another
 * mode or shape does not fit.
 */
final class MediaCasts {
  private MediaCasts() {}

  static Optional<ScalarKernel> of(CastRequest request) {
    return switch (request.from()) {
      case DataType.Image from when isImage(request.to()) -> Optional.of(images(request));
      case DataType.FixedShapeImage from when isImage(request.to()) -> Optional.of(images(request));
      case DataType.Tensor from when request.to() instanceof DataType.FixedShapeTensor to ->
          from.element().equals(to.element()) ? Optional.of(tensors(request)) : Optional.empty();
      case DataType.FixedShapeTensor from when request.to() instanceof DataType.Tensor to ->
          from.element().equals(to.element()) ? Optional.of(tensors(request)) : Optional.empty();
      case DataType.File from when request.to() instanceof DataType.File ->
          Optional.of(new RetypeKernel(request.to()));
      default -> Optional.empty();
    };
  }

  private static boolean isImage(DataType type) {
    return type instanceof DataType.Image || type instanceof DataType.FixedShapeImage;
  }

  private static ScalarKernel images(CastRequest request) {
    return new RowCast(
        request,
        (source, row, target) -> {
          ImageValue image = (ImageValue) source.valueAt(row);
          boolean fits =
              switch (request.to()) {
                case DataType.Image to -> to.mode().isEmpty() || to.mode().get() == image.mode();
                case DataType.FixedShapeImage to ->
                    to.mode() == image.mode()
                        && to.height() == image.height()
                        && to.width() == image.width();
                default -> false;
              };
          if (fits) {
            target.appendValue(image);
          }
          return fits;
        });
  }

  private static ScalarKernel tensors(CastRequest request) {
    return new RowCast(
        request,
        (source, row, target) -> {
          TensorValue tensor = (TensorValue) source.valueAt(row);
          boolean fits =
              !(request.to() instanceof DataType.FixedShapeTensor to)
                  || to.shape().equals(Arrays.stream(tensor.shape()).boxed().toList());
          if (fits) {
            target.appendValue(tensor);
          }
          return fits;
        });
  }
}
