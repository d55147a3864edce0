package io.millrace.exec.kernel.cast;

import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.ConstantVector;
import io.millrace.core.spi.RowSet;
import io.millrace.core.spi.ScalarKernel;
import io.millrace.core.type.DataType;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/** Nulls of another type. */
final class NullCast implements ScalarKernel {
  private final DataType type;

  NullCast(DataType type) {
    this.type = type;
  }

  @Override
  public ColumnVector evaluate(
      List<ColumnVector> arguments, RowSet rows, BufferAllocator allocator) {
    return ConstantVector.ofNull(type, rows.length(), allocator);
  }
}
