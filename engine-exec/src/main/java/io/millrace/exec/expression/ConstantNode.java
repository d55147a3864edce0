package io.millrace.exec.expression;

import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.ConstantVector;
import io.millrace.core.batch.FlatVector;
import io.millrace.core.batch.VectorBuilder;
import io.millrace.core.spi.RowSet;
import io.millrace.core.type.DataType;
import org.apache.arrow.memory.BufferAllocator;

/** A constant; built once. */
final class ConstantNode implements Evaluator {
  private final FlatVector value;

  ConstantNode(Object value, DataType type, BufferAllocator allocator) {
    try (VectorBuilder builder = new VectorBuilder(type, allocator)) {
      builder.appendValue(value);
      this.value = builder.finish();
    }
  }

  @Override
  public ColumnVector evaluate(Evaluation evaluation, RowSet rows) {
    return new ConstantVector(value.retain(), rows.length());
  }

  @Override
  public void close() {
    value.close();
  }
}
