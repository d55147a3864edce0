package io.millrace.core.udf;

import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.vector.FieldVector;

/** Takes one result per input row, in order: value by value, or as one Arrow vector. */
public interface UdfOutput {

  /** The next row's result; null for null. Classes as {@code FlatVector.valueAt} gives. */
  void append(Object value);

  /** All results at once; takes ownership. Its type must be the declared result's storage type. */
  void set(FieldVector results);

  /** Where a result vector is to be allocated. */
  BufferAllocator allocator();
}
