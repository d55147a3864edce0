package io.millrace.exec.media.image;

import io.millrace.core.type.ImageMode;
import org.opencv.core.Core;
import org.opencv.core.CvType;
import org.opencv.core.Mat;
import org.opencv.imgproc.Imgproc;

/** Image modes in OpenCV's terms: its color order is BGR, ours is RGB. */
final class PixelModes {
  private static final double SAMPLES_8_TO_16 = 257.0;

  private PixelModes() {}

  /** OpenCV's matrix type for samples of this mode. */
  static int matrixType(ImageMode mode) {
    int depth =
        switch (mode) {
          case L, LA, RGB, RGBA -> CvType.CV_8U;
          case L16, LA16, RGB16, RGBA16 -> CvType.CV_16U;
          case RGB32F, RGBA32F -> CvType.CV_32F;
        };
    return CvType.makeType(depth, mode.channels());
  }

  /**
   * Writes the picture, which OpenCV decoded (gray, BGR or BGRA of any depth), in our mode to the
   * target, which has the right size and type already.
   */
  static void fromOpenCv(Mat decoded, ImageMode mode, Mat target) {
    Mat scaled = withDepth(decoded, mode);
    try {
      int from = scaled.channels();
      switch (mode.channels()) {
        case 1 ->
            convert(
                scaled,
                from == 1 ? -1 : from == 3 ? Imgproc.COLOR_BGR2GRAY : Imgproc.COLOR_BGRA2GRAY,
                target);
        case 3 ->
            convert(
                scaled,
                from == 1
                    ? Imgproc.COLOR_GRAY2RGB
                    : from == 3 ? Imgproc.COLOR_BGR2RGB : Imgproc.COLOR_BGRA2RGB,
                target);
        case 4 ->
            convert(
                scaled,
                from == 1
                    ? Imgproc.COLOR_GRAY2RGBA
                    : from == 3 ? Imgproc.COLOR_BGR2RGBA : Imgproc.COLOR_BGRA2RGBA,
                target);
        default -> grayAlpha(scaled, mode, target);
      }
    } finally {
      if (!scaled.equals(decoded)) {
        scaled.release();
      }
    }
  }

  private static void convert(Mat source, int code, Mat target) {
    if (code < 0) {
      source.copyTo(target);
    } else {
      Imgproc.cvtColor(source, target, code);
    }
  }

  private static Mat withDepth(Mat decoded, ImageMode mode) {
    int wanted = CvType.depth(matrixType(mode));
    int depth = decoded.depth();
    if (depth == wanted) {
      return decoded;
    }
    Mat converted = new Mat();
    decoded.convertTo(converted, wanted, greatest(wanted) / greatest(depth));
    return converted;
  }

  /** The sample that stands for full intensity. */
  private static double greatest(int depth) {
    return switch (depth) {
      case CvType.CV_8U -> 255.0;
      case CvType.CV_16U -> 255.0 * SAMPLES_8_TO_16;
      default -> 1.0;
    };
  }

  private static void grayAlpha(Mat source, ImageMode mode, Mat target) {
    Mat gray = new Mat();
    Mat alpha = new Mat();
    Mat both = new Mat();
    try {
      int channels = source.channels();
      convert(
          source,
          channels == 1 ? -1 : channels == 3 ? Imgproc.COLOR_BGR2GRAY : Imgproc.COLOR_BGRA2GRAY,
          gray);
      if (channels == 4) {
        Core.extractChannel(source, alpha, 3);
      } else {
        alpha.create(source.rows(), source.cols(), gray.type());
        alpha.setTo(new org.opencv.core.Scalar(greatest(CvType.depth(matrixType(mode)))));
      }
      Core.merge(java.util.List.of(gray, alpha), both);
      both.copyTo(target);
    } finally {
      gray.release();
      alpha.release();
      both.release();
    }
  }

  /** A new matrix in OpenCV's channel order, for encoding; the caller releases it. */
  static Mat toOpenCv(Mat picture, ImageMode mode) {
    Mat converted = new Mat();
    switch (mode.channels()) {
      case 1 -> picture.copyTo(converted);
      case 3 -> Imgproc.cvtColor(picture, converted, Imgproc.COLOR_RGB2BGR);
      case 4 -> Imgproc.cvtColor(picture, converted, Imgproc.COLOR_RGBA2BGRA);
      default -> {
        // No file format here holds gray with alpha as such: it becomes color with alpha.
        java.util.List<Mat> planes = new java.util.ArrayList<>();
        Core.split(picture, planes);
        Core.merge(
            java.util.List.of(planes.get(0), planes.get(0), planes.get(0), planes.get(1)),
            converted);
        planes.forEach(Mat::release);
      }
    }
    return converted;
  }
}
