package io.millrace.udf.instance;

import io.millrace.core.batch.ArrowBatches;
import io.millrace.core.batch.ColumnVector;
import io.millrace.core.batch.VectorBuilder;
import io.millrace.core.error.ErrorCode;
import io.millrace.core.error.MillraceException;
import io.millrace.core.udf.UdfOutput;
import io.millrace.core.udf.UdfReference;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;

/** Gathers the results of one call and checks that there is one per row. */
final class UdfCallOutput implements UdfOutput, AutoCloseable {
  private final UdfReference reference;
  private final int rows;
  private final BufferAllocator allocator;
  private VectorBuilder builder;
  private FieldVector given;
  private int appended;

  UdfCallOutput(UdfReference reference, int rows, BufferAllocator allocator) {
    this.reference = reference;
    this.rows = rows;
    this.allocator = allocator;
  }

  @Override
  public void append(Object value) {
    if (given != null) {
      throw new IllegalStateException("append() after set(); use one of them");
    }
    if (builder == null) {
      builder = new VectorBuilder(reference.resultType(), allocator);
    }
    builder.appendValue(value);
    appended++;
  }

  @Override
  public void set(FieldVector results) {
    if (appended > 0 || given != null) {
      results.close();
      throw new IllegalStateException("set() after append() or twice; use one of them, once");
    }
    given = results;
  }

  @Override
  public BufferAllocator allocator() {
    return allocator;
  }

  /** The results, owned by the caller. */
  ColumnVector finish() {
    int count = given == null ? appended : given.getValueCount();
    if (count != rows) {
      throw new MillraceException(
          ErrorCode.UDF_FAILED,
          "it must give one result per row, but gave " + count + " for " + rows + " rows");
    }
    if (given != null) {
      try (FieldVector vector = given) {
        given = null;
        return ArrowBatches.fromVector(vector, reference.resultType(), allocator);
      }
    }
    if (builder == null) {
      builder = new VectorBuilder(reference.resultType(), allocator);
    }
    return builder.finish();
  }

  @Override
  public void close() {
    if (builder != null) {
      builder.close();
      builder = null;
    }
    if (given != null) {
      given.close();
      given = null;
    }
  }
}
