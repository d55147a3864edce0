package io.millrace.exec.media.image;

import io.millrace.core.type.ImageMode;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.opencv.core.Core;
import org.opencv.core.CvException;
import org.opencv.core.CvType;
import org.opencv.core.Mat;
import org.opencv.imgcodecs.Imgcodecs;

/**
 * Decodes one picture at a time, upright by its EXIF orientation. Sizes are checked in the header
 * before anything is allocated. Not thread-safe.
 */
final class ImageDecoder {
  /** More pixels than any camera makes; 4 bytes each would be 716 MB. */
  private static final long PIXEL_LIMIT = 178_956_970;

  private final ImageMode mode;

  ImageDecoder(ImageMode mode) {
    this.mode = mode;
  }

  /** Why a picture could not be decoded; the message is for the user. */
  static final class DecodeException extends Exception {
    private static final long serialVersionUID = 1L;

    DecodeException(String message) {
      super(message);
    }
  }

  /**
   * The picture in OpenCV's channel order; the caller releases it.
   *
   * @param bytes a direct buffer with the file, from position 0 to its limit
   * @param targetWidth the decode may stop at a smaller scale that still covers this size; 0 for
   *     the full size
   */
  Mat decode(ByteBuffer bytes, int targetWidth, int targetHeight) throws DecodeException {
    ImageHeader header = checkedHeader(bytes);
    if (header.format() == ImageFormat.GIF) {
      return GifDecoder.firstFrame(bytes);
    }
    int flags = flags(header, targetWidth, targetHeight);
    Mat encoded = new Mat(1, bytes.limit(), CvType.CV_8UC1, bytes);
    try {
      Mat picture = Imgcodecs.imdecode(encoded, flags);
      if (picture.empty()) {
        picture.release();
        throw new DecodeException("the " + header.format() + " data are damaged");
      }
      if (flags == Imgcodecs.IMREAD_UNCHANGED) {
        turnUpright(picture, header.orientation());
      }
      return picture;
    } catch (CvException problem) {
      throw new DecodeException(
          "the " + header.format() + " data are damaged or of an unsupported kind");
    } finally {
      encoded.release();
    }
  }

  private static ImageHeader checkedHeader(ByteBuffer bytes) throws DecodeException {
    if (bytes.limit() == 0) {
      throw new DecodeException("the value is empty");
    }
    Optional<ImageHeader> header = ImageHeader.read(bytes);
    if (header.isEmpty()) {
      throw new DecodeException(
          "the bytes are no JPEG, PNG, WebP, TIFF, BMP, GIF or JPEG 2000 image");
    }
    ImageHeader known = header.get();
    if (!known.complete()) {
      throw new DecodeException("the " + known.format() + " file is truncated");
    }
    boolean sizeUnknown = known.format() == ImageFormat.JPEG_2000;
    long pixels = (long) known.width() * known.height();
    if (!sizeUnknown && (known.width() <= 0 || known.height() <= 0 || pixels > PIXEL_LIMIT)) {
      throw new DecodeException(
          "its header claims "
              + known.width()
              + " x "
              + known.height()
              + " pixels; at most "
              + PIXEL_LIMIT
              + " are decoded");
    }
    return known;
  }

  private int flags(ImageHeader header, int targetWidth, int targetHeight) {
    boolean color = mode == ImageMode.RGB;
    if (!color && mode != ImageMode.L) {
      return Imgcodecs.IMREAD_UNCHANGED;
    }
    int factor = targetWidth == 0 ? 1 : reduction(header, targetWidth, targetHeight);
    return switch (factor) {
      case 8 -> color ? Imgcodecs.IMREAD_REDUCED_COLOR_8 : Imgcodecs.IMREAD_REDUCED_GRAYSCALE_8;
      case 4 -> color ? Imgcodecs.IMREAD_REDUCED_COLOR_4 : Imgcodecs.IMREAD_REDUCED_GRAYSCALE_4;
      case 2 -> color ? Imgcodecs.IMREAD_REDUCED_COLOR_2 : Imgcodecs.IMREAD_REDUCED_GRAYSCALE_2;
      default -> color ? Imgcodecs.IMREAD_COLOR : Imgcodecs.IMREAD_GRAYSCALE;
    };
  }

  /** The largest of 1, 2, 4, 8 by which a JPEG may shrink and still cover the target. */
  private static int reduction(ImageHeader header, int targetWidth, int targetHeight) {
    if (header.format() != ImageFormat.JPEG) {
      return 1;
    }
    int factor = 1;
    while (factor < 8
        && header.uprightWidth() / (2 * factor) >= targetWidth
        && header.uprightHeight() / (2 * factor) >= targetHeight) {
      factor *= 2;
    }
    return factor;
  }

  /** Source of the eight cases: EXIF 2.3, tag 0x0112. */
  private static void turnUpright(Mat picture, int orientation) {
    switch (orientation) {
      case 2 -> Core.flip(picture, picture, 1);
      case 3 -> Core.rotate(picture, picture, Core.ROTATE_180);
      case 4 -> Core.flip(picture, picture, 0);
      case 5 -> {
        Core.transpose(picture, picture);
      }
      case 6 -> Core.rotate(picture, picture, Core.ROTATE_90_CLOCKWISE);
      case 7 -> {
        Core.transpose(picture, picture);
        Core.rotate(picture, picture, Core.ROTATE_180);
      }
      case 8 -> Core.rotate(picture, picture, Core.ROTATE_90_COUNTERCLOCKWISE);
      default -> {}
    }
  }
}
