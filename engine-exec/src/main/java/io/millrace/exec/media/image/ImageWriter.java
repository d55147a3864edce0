package io.millrace.exec.media.image;

import io.millrace.core.batch.FlatVector;
import io.millrace.core.type.DataType;
import io.millrace.core.type.ImageMode;
import org.apache.arrow.memory.BufferAllocator;
import org.opencv.core.Mat;

/** Builds a column of images, row by row in order; every row is written once. */
sealed interface ImageWriter extends AutoCloseable
    permits FixedShapeImageWriter, VariableImageWriter {

  static ImageWriter of(DataType type, int rows, BufferAllocator allocator) {
    return switch (type) {
      case DataType.FixedShapeImage fixed -> new FixedShapeImageWriter(fixed, rows, allocator);
      case DataType.Image image -> new VariableImageWriter(image, allocator);
      default -> throw new IllegalArgumentException("Not an image type: " + type);
    };
  }

  void appendNull();

  /** Appends a picture in OpenCV's channel order, in the given mode. */
  void appendOpenCv(Mat picture, ImageMode mode);

  /** Appends a picture in our channel order already. */
  void append(Mat picture, ImageMode mode);

  /** The column, owned by the caller. */
  FlatVector finish();

  @Override
  void close();
}
