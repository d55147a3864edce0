package io.millrace.exec.media.image;

import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.FlatVector;
import io.millrace.core.type.DataType;
import io.millrace.core.type.ImageMode;
import org.apache.arrow.memory.BufferAllocator;
import org.opencv.core.Mat;

/** A column of decoded images, of any or of fixed shape, read without copying pixels. */
final class ImageColumn implements AutoCloseable {
  private static final ImageMode[] MODES = ImageMode.values();

  private final FlatVector images;
  private final DataType.FixedShapeImage fixed;

  ImageColumn(ColumnVector column, BufferAllocator allocator) {
    images = column.flatten(allocator);
    fixed = column.type() instanceof DataType.FixedShapeImage shape ? shape : null;
  }

  boolean isNull(int row) {
    return images.isNull(row);
  }

  ImageMode mode(int row) {
    return fixed == null ? MODES[(int) images.child(3).longAt(row)] : fixed.mode();
  }

  int height(int row) {
    return fixed == null ? (int) images.child(1).longAt(row) : fixed.height();
  }

  int width(int row) {
    return fixed == null ? (int) images.child(2).longAt(row) : fixed.width();
  }

  /** The pixels in our channel order, over the column's memory; released by the caller. */
  Mat pixels(int row) {
    ImageMode mode = mode(row);
    int bytes = height(row) * width(row) * mode.channels() * mode.sampleBytes();
    FlatVector data = images.child(0);
    long offset = fixed == null ? data.byteOffsetAt(row) : (long) row * bytes;
    return new Mat(
        height(row),
        width(row),
        PixelModes.matrixType(mode),
        data.values().asSlice(offset, bytes).asByteBuffer());
  }

  @Override
  public void close() {
    images.close();
  }
}
