package io.millrace.core.batch;

import java.util.Arrays;
import java.util.List;

/**
 * An array of which only some elements are stored.
 *
 * @param shape extent of each dimension
 * @param indices row-major flat index of each stored element
 * @param values the stored elements as Java values, as many as indices
 */
public record SparseTensorValue(int[] shape, long[] indices, List<Object> values) {
  @Override
  public boolean equals(Object other) {
    return other instanceof SparseTensorValue that
        && Arrays.equals(shape, that.shape)
        && Arrays.equals(indices, that.indices)
        && values.equals(that.values);
  }

  @Override
  public int hashCode() {
    return 31 * (31 * Arrays.hashCode(shape) + Arrays.hashCode(indices)) + values.hashCode();
  }

  @Override
  public String toString() {
    return "sparse_tensor" + Arrays.toString(shape);
  }
}
