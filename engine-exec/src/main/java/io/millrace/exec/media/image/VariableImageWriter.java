package io.millrace.exec.media.image;

import io.millrace.core.batch.FlatVector;
import io.millrace.core.batch.VectorBuilder;
import io.millrace.core.type.DataType;
import io.millrace.core.type.ImageMode;
import java.lang.foreign.MemorySegment;
import org.apache.arrow.memory.BufferAllocator;
import org.opencv.core.Mat;

/** Appends images of any size, one after the other. */
final class VariableImageWriter implements ImageWriter {
  private final VectorBuilder builder;

  VariableImageWriter(DataType.Image type, BufferAllocator allocator) {
    builder = new VectorBuilder(type, allocator);
  }

  @Override
  public void appendNull() {
    builder.appendNull();
  }

  @Override
  public void appendOpenCv(Mat picture, ImageMode mode) {
    Mat converted = new Mat(picture.rows(), picture.cols(), PixelModes.matrixType(mode));
    PixelModes.fromOpenCv(picture, mode, converted);
    append(converted, mode);
    converted.release();
  }

  @Override
  public void append(Mat picture, ImageMode mode) {
    Mat dense = new Mat(); // a copy, since rows of a picture may lie apart
    picture.copyTo(dense);
    long bytes = dense.total() * dense.elemSize();
    MemorySegment pixels = MemorySegment.ofAddress(dense.dataAddr()).reinterpret(bytes);
    builder.child(0).appendBytes(pixels, 0, bytes);
    builder.child(1).appendLong(dense.rows());
    builder.child(2).appendLong(dense.cols());
    builder.child(3).appendLong(mode.ordinal());
    builder.endStruct();
    dense.release();
  }

  @Override
  public FlatVector finish() {
    return builder.finish();
  }

  @Override
  public void close() {
    builder.close();
  }
}
