package io.millrace.exec.media.image;

import io.millrace.core.batch.Bits;
import io.millrace.core.batch.FlatVector;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.type.DataType;
import io.millrace.core.type.ImageMode;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.opencv.core.Mat;

/** Writes pixels straight to their place in the column. */
final class FixedShapeImageWriter implements ImageWriter {
  private final DataType.FixedShapeImage type;
  private final int rows;
  private final int imageBytes;
  private ArrowBuf validity;
  private ArrowBuf pixels;
  private int row;
  private int nullCount;

  FixedShapeImageWriter(DataType.FixedShapeImage type, int rows, BufferAllocator allocator) {
    this.type = type;
    this.rows = rows;
    this.imageBytes = Math.multiplyExact(type.sampleCount(), type.mode().sampleBytes());
    if ((long) rows * type.sampleCount() > Integer.MAX_VALUE) {
      throw new MillraceException(
          ErrorCode.VALUE_TOO_LARGE,
          "A batch of these images is over 2 GiB; lower batch.rows: " + rows + " rows of " + type);
    }
    validity = allocator.buffer(Math.max(1, Bits.byteCount(rows)));
    try {
      pixels = allocator.buffer(Math.max(1, (long) rows * imageBytes));
    } catch (RuntimeException problem) {
      close();
      throw problem;
    }
    Bits.fill(segment(validity), rows, true);
  }

  private static MemorySegment segment(ArrowBuf buffer) {
    return MemorySegment.ofAddress(buffer.memoryAddress()).reinterpret(buffer.capacity());
  }

  @Override
  public void appendNull() {
    Bits.set(segment(validity), row, false);
    pixels.setZero((long) row * imageBytes, imageBytes);
    row++;
    nullCount++;
  }

  /** The place of the next image, in our channel order. */
  private Mat target() {
    return new Mat(
        type.height(),
        type.width(),
        PixelModes.matrixType(type.mode()),
        pixels.nioBuffer((long) row * imageBytes, imageBytes));
  }

  @Override
  public void appendOpenCv(Mat picture, ImageMode mode) {
    Mat target = target();
    PixelModes.fromOpenCv(picture, mode, target);
    target.release();
    row++;
  }

  @Override
  public void append(Mat picture, ImageMode mode) {
    Mat target = target();
    picture.copyTo(target);
    target.release();
    row++;
  }

  @Override
  public FlatVector finish() {
    ArrowBuf finishedPixels = pixels;
    ArrowBuf finishedValidity = validity;
    pixels = null;
    validity = null;
    FlatVector samples =
        FlatVector.ofFixedWidth(
            type.mode().sampleType(), rows * type.sampleCount(), 0, null, finishedPixels);
    return FlatVector.ofNested(type, rows, nullCount, finishedValidity, null, List.of(samples));
  }

  @Override
  public void close() {
    if (validity != null) {
      validity.close();
      validity = null;
    }
    if (pixels != null) {
      pixels.close();
      pixels = null;
    }
  }
}
