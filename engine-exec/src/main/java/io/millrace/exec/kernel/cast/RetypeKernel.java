package io.millrace.exec.kernel.cast;

import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.ConstantVector;
import io.millrace.core.batch.DictionaryVector;
import io.millrace.core.batch.FlatVector;
import io.millrace.core.spi.RowSet;
import io.millrace.core.spi.ScalarKernel;
import io.millrace.core.type.DataType;
import java.util.List;
import org.apache.arrow.memory.BufferAllocator;

/** The same bytes under another type, without copying. */
final class RetypeKernel implements ScalarKernel {
  private final DataType type;

  RetypeKernel(DataType type) {
    this.type = type;
  }

  @Override
  public ColumnVector evaluate(
      List<ColumnVector> arguments, RowSet rows, BufferAllocator allocator) {
    return switch (arguments.get(0)) {
      case FlatVector flat -> flat.withType(type);
      case ConstantVector constant ->
          new ConstantVector(constant.value().withType(type), constant.length());
      case DictionaryVector coded ->
          new DictionaryVector(coded.codeVector().retain(), coded.dictionary().withType(type));
    };
  }
}
