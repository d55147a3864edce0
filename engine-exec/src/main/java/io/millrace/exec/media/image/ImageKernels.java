package io.millrace.exec.media.image;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.function.media.Images;
import io.millrace.core.spi.AggregateKernel;
import io.millrace.core.spi.FunctionKernels;
import io.millrace.core.spi.ScalarKernel;
import io.millrace.core.type.DataType;
import io.millrace.core.type.ImageMode;
import java.util.Locale;
import java.util.Optional;

/** Binds the functions of {@link Images}. OpenCV is loaded with the first of them. */
public final class ImageKernels implements FunctionKernels {

  @Override
  public Optional<ScalarKernel> scalar(BoundCall call) {
    return switch (call.function()) {
      case "decode_image" -> loaded(decode(call, 1, 2, null));
      case Images.DECODE_RESIZE -> loaded(decode(call, 4, 5, target(call)));
      case "resize" -> {
        OpenCvLibrary.load();
        yield Optional.of(
            new ResizeKernel(call.result(), Interpolation.named(text(call, 3, "auto"))));
      }
      case "encode_image" -> {
        OpenCvLibrary.load();
        yield Optional.of(new EncodeKernel(text(call, 1, "PNG"), number(call, 2, 90)));
      }
      case "image_width" -> Optional.of(MeasureKernel.ofNumber(ImageColumn::width));
      case "image_height" -> Optional.of(MeasureKernel.ofNumber(ImageColumn::height));
      case "image_channels" ->
          Optional.of(MeasureKernel.ofNumber((images, row) -> images.mode(row).channels()));
      case "image_mode" -> Optional.of(MeasureKernel.ofMode());
      default -> Optional.empty();
    };
  }

  @Override
  public Optional<AggregateKernel> aggregate(BoundCall call) {
    return Optional.empty();
  }

  private static Optional<ScalarKernel> loaded(ScalarKernel kernel) {
    OpenCvLibrary.load();
    return Optional.of(kernel);
  }

  private static ScalarKernel decode(
      BoundCall call, int onErrorIndex, int modeIndex, DecodeKernel.Target target) {
    ImageMode mode =
        switch (call.result()) {
          case DataType.Image image -> image.mode().orElse(ImageMode.RGB);
          case DataType.FixedShapeImage image -> image.mode();
          default -> ImageMode.valueOf(text(call, modeIndex, "RGB").toUpperCase(Locale.ROOT));
        };
    return new DecodeKernel(
        call.result(), mode, nullOnError(text(call, onErrorIndex, "raise")), target);
  }

  private static DecodeKernel.Target target(BoundCall call) {
    return new DecodeKernel.Target(
        number(call, 1, 0), number(call, 2, 0), Interpolation.named(text(call, 3, "auto")));
  }

  private static boolean nullOnError(String policy) {
    return switch (policy.toLowerCase(Locale.ROOT)) {
      case "raise" -> false;
      case "null" -> true;
      default ->
          throw new MillraceException(
              ErrorCode.INVALID_ARGUMENT, "on_error is 'raise' or 'null': '" + policy + "'");
    };
  }

  private static String text(BoundCall call, int index, String ifAbsent) {
    return index < call.constants().size()
        ? call.constants().get(index).map(String::valueOf).orElse(ifAbsent)
        : ifAbsent;
  }

  private static int number(BoundCall call, int index, int ifAbsent) {
    return index < call.constants().size()
        ? call.constants().get(index).map(value -> ((Number) value).intValue()).orElse(ifAbsent)
        : ifAbsent;
  }
}
