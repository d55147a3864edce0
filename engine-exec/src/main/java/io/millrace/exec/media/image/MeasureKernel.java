package io.millrace.exec.media.image;

import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.VectorBuilder;
import io.millrace.core.spi.RowSet;
import io.millrace.core.spi.ScalarKernel;
import io.millrace.core.type.DataType;
import java.util.List;
import java.util.function.ToIntBiFunction;
import org.apache.arrow.memory.BufferAllocator;

/** A whole number read off a decoded image, or its mode's name. */
final class MeasureKernel implements ScalarKernel {
  private final DataType result;
  private final ToIntBiFunction<ImageColumn, Integer> measure;

  private MeasureKernel(DataType result, ToIntBiFunction<ImageColumn, Integer> measure) {
    this.result = result;
    this.measure = measure;
  }

  static MeasureKernel ofNumber(ToIntBiFunction<ImageColumn, Integer> measure) {
    return new MeasureKernel(DataType.INT32, measure);
  }

  static MeasureKernel ofMode() {
    return new MeasureKernel(DataType.STRING, null);
  }

  @Override
  public ColumnVector evaluate(
      List<ColumnVector> arguments, RowSet rows, BufferAllocator allocator) {
    try (ImageColumn images = new ImageColumn(arguments.get(0), allocator);
        VectorBuilder builder = new VectorBuilder(result, allocator)) {
      for (int row = 0; row < rows.length(); row++) {
        if (images.isNull(row)) {
          builder.appendNull();
        } else if (measure == null) {
          builder.appendText(images.mode(row).name());
        } else {
          builder.appendLong(measure.applyAsInt(images, row));
        }
      }
      return builder.finish();
    }
  }
}
