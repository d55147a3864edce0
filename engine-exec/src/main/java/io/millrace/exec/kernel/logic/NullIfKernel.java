package io.millrace.exec.kernel.logic;

import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.FlatVector;
import io.millrace.core.spi.RowSet;
import io.millrace.core.spi.ScalarKernel;
import io.millrace.core.type.DataType;
import io.millrace.exec.kernel.MaskedValues;
import io.millrace.exec.kernel.SelectingKernel;
import io.millrace.exec.kernel.lane.ValidityMask;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/** The first value, null where it equals the second. */
final class NullIfKernel implements ScalarKernel {
  private final ScalarKernel equal;
  private final DataType type;
  private final ValidityMask mask = new ValidityMask();
  private int[] equalRows = new int[0];

  /**
   * @param equal a selecting kernel
   */
  NullIfKernel(ScalarKernel equal, DataType type) {
    this.equal = equal;
    this.type = type;
  }

  @Override
  public ColumnVector evaluate(
      List<ColumnVector> arguments, RowSet rows, BufferAllocator allocator) {
    if (type instanceof DataType.Null) {
      return arguments.get(0).retain();
    }
    if (equalRows.length < rows.count()) {
      equalRows = new int[rows.count()];
    }
    int found = ((SelectingKernel) equal).select(arguments, rows, equalRows);
    if (found == 0) {
      return arguments.get(0).retain();
    }
    mask.reset(rows.length(), arguments.subList(0, 1));
    for (int index = 0; index < found; index++) {
      mask.clear(equalRows[index]);
    }
    try (FlatVector values = arguments.get(0).flatten(allocator)) {
      return MaskedValues.of(values, mask, allocator);
    }
  }

  @Override
  public void close() {
    equal.close();
  }
}
