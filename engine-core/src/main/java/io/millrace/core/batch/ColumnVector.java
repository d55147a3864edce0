package io.millrace.core.batch;

import io.millrace.core.type.DataType;
import org.apache.arrow.memory.BufferAllocator;

/**
 * The values of one column in a batch, in one of three forms. A vector is a handle on
 * reference-counted buffers: {@link #retain} and {@link #slice} give further handles, and each
 * handle is closed by its one owner. Contents never change. Reading a closed handle throws
 * OWNERSHIP_VIOLATION.
 */
public sealed interface ColumnVector extends AutoCloseable
    permits FlatVector, DictionaryVector, ConstantVector {

  /** The logical type; multimodal types keep theirs over the storage layout. */
  DataType type();

  /** Rows. */
  int length();

  /** Whether the row is null; for slow paths, kernels read validity bits. */
  boolean isNull(int row);

  /** Whether no row is null for sure; false when it is unknown or costly to know. */
  boolean hasNoNulls();

  /**
   * The row as a Java object, null for null: Boolean; Byte, Short, Integer, Long (unsigned: the
   * next wider, uint64 BigInteger); Float, Double; BigDecimal; LocalDate, LocalTime, LocalDateTime,
   * Instant (with zone), Duration, {@link IntervalValue}; String, byte[], UUID; List, Map (structs
   * by member name, in order); float[], double[] or another primitive array (embeddings); {@link
   * ImageValue}, {@link TensorValue}, {@link SparseTensorValue}, {@link FileValue}; Long
   * (references).
   */
  Object valueAt(int row);

  /** Bytes of all allocations that this handle keeps alive, each counted once. */
  long retainedBytes();

  /** Where the rows were read; null when it is not known. */
  RowOrigin origin();

  /**
   * The same rows with the place where they were read; consumes this handle. Many rows of tiny
   * values do not keep it, constants never do.
   *
   * @param origin of this length; null to forget it
   */
  ColumnVector withOrigin(RowOrigin origin);

  /** A second handle on the same buffers. */
  ColumnVector retain();

  /** An owned flat vector of the same rows: a further handle when flat already, else a copy. */
  FlatVector flatten(BufferAllocator allocator);

  /** An owned handle on {@code count} rows from {@code from}, sharing the buffers. */
  ColumnVector slice(int from, int count);

  /** Releases this handle; again is no error. */
  @Override
  void close();
}
