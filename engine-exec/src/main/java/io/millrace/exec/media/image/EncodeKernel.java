package io.millrace.exec.media.image;

import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.VectorBuilder;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.spi.RowSet;
import io.millrace.core.spi.ScalarKernel;
import io.millrace.core.type.DataType;
import java.util.List;
import java.util.Locale;
import org.apache.arrow.memory.BufferAllocator;
import org.opencv.core.CvException;
import org.opencv.core.Mat;
import org.opencv.core.MatOfByte;
import org.opencv.core.MatOfInt;
import org.opencv.imgcodecs.Imgcodecs;

/** Images as files of one format. */
final class EncodeKernel implements ScalarKernel {
  private final Format format;
  private final MatOfInt parameters;

  /** Formats that are written; the suffix chooses OpenCV's encoder. */
  private enum Format {
    JPEG(".jpg", Imgcodecs.IMWRITE_JPEG_QUALITY),
    PNG(".png", -1),
    WEBP(".webp", Imgcodecs.IMWRITE_WEBP_QUALITY),
    TIFF(".tiff", -1),
    BMP(".bmp", -1);

    private final String suffix;
    private final int qualityParameter;

    Format(String suffix, int qualityParameter) {
      this.suffix = suffix;
      this.qualityParameter = qualityParameter;
    }
  }

  /**
   * @throws MillraceException INVALID_ARGUMENT for a format that is not written, or a quality
   *     outside 1 to 100
   */
  EncodeKernel(String formatName, int quality) {
    String name = formatName.toUpperCase(Locale.ROOT);
    try {
      format = Format.valueOf(name.equals("JPG") ? "JPEG" : name);
    } catch (IllegalArgumentException unknown) {
      throw new MillraceException(
          ErrorCode.INVALID_ARGUMENT,
          "Images are encoded as JPEG, PNG, WEBP, TIFF or BMP: '" + formatName + "'",
          unknown);
    }
    if (quality < 1 || quality > 100) {
      throw new MillraceException(
          ErrorCode.INVALID_ARGUMENT, "The quality of an image is 1 to 100: " + quality);
    }
    parameters =
        format.qualityParameter < 0
            ? new MatOfInt()
            : new MatOfInt(format.qualityParameter, quality);
  }

  @Override
  public ColumnVector evaluate(
      List<ColumnVector> arguments, RowSet rows, BufferAllocator allocator) {
    try (ImageColumn images = new ImageColumn(arguments.get(0), allocator);
        VectorBuilder builder = new VectorBuilder(DataType.BINARY, allocator)) {
      for (int position = 0; position < rows.count(); position++) {
        int row = rows.row(position);
        while (builder.length() < row) {
          builder.appendNull();
        }
        if (images.isNull(row)) {
          builder.appendNull();
        } else {
          builder.appendBytes(encode(images, row));
        }
      }
      while (builder.length() < rows.length()) {
        builder.appendNull();
      }
      return builder.finish();
    }
  }

  private byte[] encode(ImageColumn images, int row) {
    Mat pixels = images.pixels(row);
    Mat picture = PixelModes.toOpenCv(pixels, images.mode(row));
    MatOfByte encoded = new MatOfByte();
    try {
      if (!Imgcodecs.imencode(format.suffix, picture, encoded, parameters)) {
        throw unsupported(images, row, null);
      }
      return encoded.toArray();
    } catch (CvException problem) {
      throw unsupported(images, row, problem);
    } finally {
      pixels.release();
      picture.release();
      encoded.release();
    }
  }

  private MillraceException unsupported(ImageColumn images, int row, Throwable cause) {
    return new MillraceException(
        ErrorCode.INVALID_ARGUMENT,
        "The format cannot hold an image of this mode and size; convert it first: "
            + format
            + ", "
            + images.mode(row)
            + " "
            + images.width(row)
            + " x "
            + images.height(row),
        cause);
  }
}
