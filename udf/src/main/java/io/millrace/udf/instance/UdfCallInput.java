package io.millrace.udf.instance;

import io.millrace.core.batch.ArrowBatches;
import io.millrace.core.batch.Batch;
import io.millrace.core.batch.FlatVector;
import io.millrace.core.type.Schema;
import io.millrace.core.udf.UdfBatch;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;

/** The arguments of one call; other forms of the columns are made when asked for. */
final class UdfCallInput implements UdfBatch, AutoCloseable {
  private final Batch arguments;
  private final BufferAllocator allocator;
  private final FlatVector[] flat;
  private VectorSchemaRoot root;

  UdfCallInput(Batch arguments, BufferAllocator allocator) {
    this.arguments = arguments;
    this.allocator = allocator;
    this.flat = new FlatVector[arguments.columnCount()];
  }

  @Override
  public int rowCount() {
    return arguments.rowCount();
  }

  @Override
  public Schema schema() {
    return arguments.schema();
  }

  @Override
  public Object value(int column, int row) {
    return arguments.valueAt(column, row);
  }

  @Override
  public FlatVector column(int column) {
    if (flat[column] == null) {
      flat[column] = arguments.column(column).flatten(allocator);
    }
    return flat[column];
  }

  @Override
  public VectorSchemaRoot arrow() {
    if (root == null) {
      root = ArrowBatches.toArrow(arguments.share(), allocator);
    }
    return root;
  }

  @Override
  public void close() {
    for (int column = 0; column < flat.length; column++) {
      if (flat[column] != null) {
        flat[column].close();
        flat[column] = null;
      }
    }
    if (root != null) {
      root.close();
      root = null;
    }
  }
}
