package io.millrace.core.batch;

import io.millrace.core.type.ImageMode;
import java.util.Arrays;

/**
 * A decoded image.
 *
 * @param mode channels and sample type
 * @param height rows
 * @param width columns
 * @param data samples row after row, channels interleaved, little endian; not copied
 */
public record ImageValue(ImageMode mode, int height, int width, byte[] data) {
  @Override
  public boolean equals(Object other) {
    return other instanceof ImageValue that
        && mode == that.mode
        && height == that.height
        && width == that.width
        && Arrays.equals(data, that.data);
  }

  @Override
  public int hashCode() {
    return 31 * (31 * (31 * mode.hashCode() + height) + width) + Arrays.hashCode(data);
  }

  @Override
  public String toString() {
    return "image(" + mode + ", " + height + " x " + width + ")";
  }
}
