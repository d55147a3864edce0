package io.millrace.core.udf;

import io.millrace.core.batch.FlatVector;
import io.millrace.core.type.Schema;
import org.apache.arrow.vector.VectorSchemaRoot;

/** The argument columns of one call; owned by the engine, valid until the call returns. */
public interface UdfBatch {

  int rowCount();

  /** Argument columns by position. */
  Schema schema();

  /** A value as Java object, null for null; see {@code FlatVector.valueAt} for the classes. */
  Object value(int column, int row);

  /** An argument column in Arrow's memory layout. */
  FlatVector column(int column);

  /** The arguments as Arrow vectors, without copying. */
  VectorSchemaRoot arrow();
}
