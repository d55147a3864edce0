package io.millrace.exec.media.image;

import io.millrace.core.batch.ColumnVector;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.spi.RowSet;
import io.millrace.core.spi.ScalarKernel;
import io.millrace.core.type.DataType;
import io.millrace.core.type.ImageMode;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.opencv.core.Mat;
import org.opencv.core.Size;
import org.opencv.imgproc.Imgproc;

/**
 * decode_image, and decode_resize_image when a target size is given: one picture at a time, without
 * an intermediate column.
 */
final class DecodeKernel implements ScalarKernel {
  private final DataType result;
  private final ImageMode mode;
  private final boolean nullOnError;
  private final Target target;
  private final ImageDecoder decoder;

  /** The size to scale to. */
  record Target(int width, int height, Interpolation interpolation) {}

  /**
   * @param target null to keep the picture's own size
   */
  DecodeKernel(DataType result, ImageMode mode, boolean nullOnError, Target target) {
    this.result = result;
    this.mode = mode;
    this.nullOnError = nullOnError;
    this.target = target;
    this.decoder = new ImageDecoder(mode);
  }

  @Override
  public ColumnVector evaluate(
      List<ColumnVector> arguments, RowSet rows, BufferAllocator allocator) {
    try (EncodedColumn encoded = new EncodedColumn(arguments.get(0), allocator);
        ImageWriter writer = ImageWriter.of(result, rows.length(), allocator)) {
      int next = 0;
      for (int position = 0; position < rows.count(); position++) {
        int row = rows.row(position);
        for (; next < row; next++) {
          writer.appendNull();
        }
        decode(encoded, row, writer);
        next++;
      }
      for (; next < rows.length(); next++) {
        writer.appendNull();
      }
      return writer.finish();
    }
  }

  private void decode(EncodedColumn encoded, int row, ImageWriter writer) {
    if (encoded.isNull(row)) {
      writer.appendNull();
      return;
    }
    try {
      Mat picture =
          target == null
              ? decoder.decode(encoded.value(row), 0, 0)
              : decoder.decode(encoded.value(row), target.width(), target.height());
      try {
        Mat scaled = target == null ? picture : scale(picture);
        writer.appendOpenCv(scaled, mode);
        scaled.release();
      } finally {
        picture.release();
      }
    } catch (ImageDecoder.DecodeException problem) {
      if (!nullOnError) {
        throw new MillraceException(
            ErrorCode.IMAGE_DECODE_FAILED,
            "An image cannot be decoded; on_error => 'null' would give null for it: "
                + encoded.nameOf(row)
                + ": "
                + problem.getMessage(),
            problem);
      }
      writer.appendNull();
    }
  }

  private Mat scale(Mat picture) {
    if (picture.cols() == target.width() && picture.rows() == target.height()) {
      return picture;
    }
    Mat scaled = new Mat();
    Imgproc.resize(
        picture,
        scaled,
        new Size(target.width(), target.height()),
        0,
        0,
        target
            .interpolation()
            .code(picture.cols(), picture.rows(), target.width(), target.height()));
    return scaled;
  }
}
