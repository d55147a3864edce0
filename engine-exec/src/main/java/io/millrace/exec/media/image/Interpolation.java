package io.millrace.exec.media.image;

import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import java.util.Arrays;
import java.util.Locale;
import org.opencv.imgproc.Imgproc;

/** How pixels between pixels are made up. */
enum Interpolation {
  /** Area when both sides shrink, else linear. */
  AUTO,
  NEAREST,
  LINEAR,
  CUBIC,
  AREA,
  LANCZOS;

  /**
   * @throws MillraceException INVALID_ARGUMENT listing the names
   */
  static Interpolation named(String name) {
    return Arrays.stream(values())
        .filter(value -> value.name().equalsIgnoreCase(name))
        .findFirst()
        .orElseThrow(
            () ->
                new MillraceException(
                    ErrorCode.INVALID_ARGUMENT,
                    "An interpolation is one of "
                        + Arrays.toString(values()).toLowerCase(Locale.ROOT)
                        + ": '"
                        + name
                        + "'"));
  }

  /** OpenCV's number for scaling from one size to another. */
  int code(int fromWidth, int fromHeight, int toWidth, int toHeight) {
    return switch (this) {
      case AUTO ->
          toWidth <= fromWidth && toHeight <= fromHeight
              ? Imgproc.INTER_AREA
              : Imgproc.INTER_LINEAR;
      case NEAREST -> Imgproc.INTER_NEAREST;
      case LINEAR -> Imgproc.INTER_LINEAR;
      case CUBIC -> Imgproc.INTER_CUBIC;
      case AREA -> Imgproc.INTER_AREA;
      case LANCZOS -> Imgproc.INTER_LANCZOS4;
    };
  }
}
