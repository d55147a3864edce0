package io.millrace.exec.media.image;

import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.FlatVector;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.spi.RowSet;
import io.millrace.core.spi.ScalarKernel;
import io.millrace.core.type.DataType;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;
import org.opencv.core.Mat;
import org.opencv.core.Size;
import org.opencv.imgproc.Imgproc;

/** Stretches images to a size that is constant or differs by row. */
final class ResizeKernel implements ScalarKernel {
  /** Sides beyond this are no picture but a mistake. */
  private static final int SIDE_LIMIT = 65_500;

  private final DataType result;
  private final Interpolation interpolation;

  ResizeKernel(DataType result, Interpolation interpolation) {
    this.result = result;
    this.interpolation = interpolation;
  }

  @Override
  public ColumnVector evaluate(
      List<ColumnVector> arguments, RowSet rows, BufferAllocator allocator) {
    try (ImageColumn images = new ImageColumn(arguments.get(0), allocator);
        FlatVector widths = arguments.get(1).flatten(allocator);
        FlatVector heights = arguments.get(2).flatten(allocator);
        ImageWriter writer = ImageWriter.of(result, rows.length(), allocator)) {
      int next = 0;
      for (int position = 0; position < rows.count(); position++) {
        int row = rows.row(position);
        for (; next < row; next++) {
          writer.appendNull();
        }
        next++;
        if (images.isNull(row) || widths.isNull(row) || heights.isNull(row)) {
          writer.appendNull();
        } else {
          resize(images, row, side(widths, row), side(heights, row), writer);
        }
      }
      for (; next < rows.length(); next++) {
        writer.appendNull();
      }
      return writer.finish();
    }
  }

  private static int side(FlatVector sides, int row) {
    long side = sides.longAt(row);
    if (side <= 0 || side > SIDE_LIMIT) {
      throw new MillraceException(
          ErrorCode.INVALID_ARGUMENT,
          "The width and height of an image are 1 to " + SIDE_LIMIT + ": " + side);
    }
    return (int) side;
  }

  private void resize(ImageColumn images, int row, int width, int height, ImageWriter writer) {
    Mat picture = images.pixels(row);
    Mat scaled = new Mat();
    try {
      Imgproc.resize(
          picture,
          scaled,
          new Size(width, height),
          0,
          0,
          interpolation.code(picture.cols(), picture.rows(), width, height));
      writer.append(scaled, images.mode(row));
    } finally {
      picture.release();
      scaled.release();
    }
  }
}
