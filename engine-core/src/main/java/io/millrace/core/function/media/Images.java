package io.millrace.core.function.media;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.function.FunctionDefinition;
import io.millrace.core.function.FunctionFamily;
import io.millrace.core.function.NullPolicy;
import io.millrace.core.function.Parameter;
import io.millrace.core.function.ResultType;
import io.millrace.core.function.Signature;
import io.millrace.core.function.TypePattern;
import io.millrace.core.type.DataType;
import io.millrace.core.type.ImageMode;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Images: decoding, scaling, encoding. Decoding turns the picture upright by its EXIF orientation.
 * {@code on_error} is {@code 'raise'} (an error that names the row) or {@code 'null'}.
 * Interpolation is {@code nearest}, {@code linear}, {@code cubic}, {@code area} or {@code lanczos};
 * {@code auto} is area when shrinking and linear when growing.
 */
public final class Images implements FunctionFamily {
  /** The planner's name for a decode followed by a resize in one kernel. */
  public static final String DECODE_RESIZE = "decode_resize_image";

  private static final TypePattern IMAGE =
      TypePattern.matching(
          "image",
          new DataType.Image(Optional.empty()),
          type -> type instanceof DataType.Image || type instanceof DataType.FixedShapeImage);
  private static final TypePattern INT32 = TypePattern.of(DataType.INT32);
  private static final Parameter BYTES = Parameter.of("bytes", TypePattern.BINARY);
  private static final Parameter WIDTH = Parameter.of("width", INT32);
  private static final Parameter HEIGHT = Parameter.of("height", INT32);
  private static final Parameter INTERPOLATION =
      Parameter.option("interpolation", TypePattern.STRING, "auto");
  private static final Parameter ON_ERROR =
      Parameter.option("on_error", TypePattern.STRING, "raise");
  private static final Parameter MODE = Parameter.option("mode", TypePattern.STRING, "RGB");

  @Override
  public String name() {
    return "image";
  }

  /**
   * @throws MillraceException INVALID_ARGUMENT listing the modes
   */
  private static ImageMode mode(Object text) {
    return Arrays.stream(ImageMode.values())
        .filter(mode -> mode.name().equalsIgnoreCase(String.valueOf(text)))
        .findFirst()
        .orElseThrow(
            () ->
                new MillraceException(
                    ErrorCode.INVALID_ARGUMENT,
                    "An image mode is one of "
                        + Arrays.toString(ImageMode.values())
                        + ": '"
                        + text
                        + "'"));
  }

  private static DataType sized(
      Optional<ImageMode> mode, Optional<Object> width, Optional<Object> height) {
    if (mode.isEmpty() || width.isEmpty() || height.isEmpty()) {
      return new DataType.Image(mode);
    }
    int pixelWidth = ((Number) width.get()).intValue();
    int pixelHeight = ((Number) height.get()).intValue();
    if (pixelWidth <= 0 || pixelHeight <= 0) {
      throw new MillraceException(
          ErrorCode.INVALID_ARGUMENT,
          "The width and height of an image are positive: " + pixelWidth + ", " + pixelHeight);
    }
    return new DataType.FixedShapeImage(mode.get(), pixelHeight, pixelWidth);
  }

  private static Optional<ImageMode> modeOf(DataType type) {
    return switch (type) {
      case DataType.Image image -> image.mode();
      case DataType.FixedShapeImage image -> Optional.of(image.mode());
      default -> Optional.empty();
    };
  }

  private static FunctionDefinition measure(String name, String summary) {
    return FunctionDefinition.scalar(
        name,
        summary,
        Signature.of(ResultType.always(DataType.INT32), Parameter.of("image", IMAGE)));
  }

  @Override
  public List<FunctionDefinition> definitions() {
    return List.of(
        FunctionDefinition.scalar(
                "decode_image",
                "The picture in these bytes.",
                Signature.of(
                    (arguments, constants) ->
                        new DataType.Image(constants.get(2).map(Images::mode)),
                    BYTES,
                    ON_ERROR,
                    MODE))
            .alias("image_decode")
            .nulls(NullPolicy.NULL_ON_NULL),
        FunctionDefinition.scalar(
                "resize",
                "The picture stretched to this size in pixels.",
                Signature.of(
                    (arguments, constants) ->
                        sized(modeOf(arguments.get(0)), constants.get(1), constants.get(2)),
                    Parameter.of("image", IMAGE),
                    WIDTH,
                    HEIGHT,
                    INTERPOLATION))
            .alias("image_resize", "resize_image"),
        FunctionDefinition.scalar(
            DECODE_RESIZE,
            "A decode and a resize in one, at a reduced scale where that is exact enough.",
            Signature.of(
                (arguments, constants) ->
                    sized(constants.get(5).map(Images::mode), constants.get(1), constants.get(2)),
                BYTES,
                WIDTH,
                HEIGHT,
                INTERPOLATION,
                ON_ERROR,
                MODE)),
        FunctionDefinition.scalar(
                "encode_image",
                "The picture as a file of this format: JPEG, PNG, WEBP, TIFF or BMP.",
                Signature.of(
                    ResultType.always(DataType.BINARY),
                    Parameter.of("image", IMAGE),
                    Parameter.option("format", TypePattern.STRING, "PNG"),
                    Parameter.option("quality", INT32, 90)))
            .alias("image_encode"),
        measure("image_width", "Width in pixels."),
        measure("image_height", "Height in pixels."),
        measure("image_channels", "Number of channels."),
        FunctionDefinition.scalar(
            "image_mode",
            "Mode of the picture, for example RGB.",
            Signature.of(ResultType.always(DataType.STRING), Parameter.of("image", IMAGE))));
  }
}
