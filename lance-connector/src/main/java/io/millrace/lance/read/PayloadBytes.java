package io.millrace.lance.read;

import org.apache.arrow.vector.BaseFixedWidthVector;
import org.apache.arrow.vector.BaseLargeVariableWidthVector;
import org.apache.arrow.vector.BaseVariableWidthVector;
import org.apache.arrow.vector.FieldVector;

/** The bytes of values alone: without offsets, validity and what buffers hold to spare. */
final class PayloadBytes {
  private PayloadBytes() {}

  static long of(FieldVector vector) {
    int rows = vector.getValueCount();
    if (rows == 0) {
      return 0;
    }
    return switch (vector) {
      case BaseVariableWidthVector values ->
          values.getOffsetBuffer().getInt(4L * rows) - values.getOffsetBuffer().getInt(0);
      case BaseLargeVariableWidthVector values ->
          values.getOffsetBuffer().getLong(8L * rows) - values.getOffsetBuffer().getLong(0);
      case BaseFixedWidthVector values -> (long) values.getTypeWidth() * rows;
      default -> vector.getChildrenFromFields().stream().mapToLong(PayloadBytes::of).sum();
    };
  }
}
