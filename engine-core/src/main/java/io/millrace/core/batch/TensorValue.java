package io.millrace.core.batch;

import java.util.Arrays;
import java.util.List;

/**
 * A dense array, row-major.
 *
 * @param shape extent of each dimension
 * @param elements Java values of the element type, their count is the product of the shape
 */
public record TensorValue(int[] shape, List<Object> elements) {
  @Override
  public boolean equals(Object other) {
    return other instanceof TensorValue that
        && Arrays.equals(shape, that.shape)
        && elements.equals(that.elements);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(shape) + elements.hashCode();
  }

  @Override
  public String toString() {
    return "tensor" + Arrays.toString(shape);
  }
}
