package io.millrace.planner.statistics;

import io.millrace.core.type.DataType;

/** Bytes of one value in memory, by type. */
final class TypeWidth {
  private static final double VARIABLE_BYTES = 24;

  private TypeWidth() {}

  static boolean isVariable(DataType type) {
    return switch (type) {
      case DataType.Bool unused -> false;
      case DataType.Int unused -> false;
      case DataType.Float unused -> false;
      case DataType.Decimal unused -> false;
      case DataType.Date unused -> false;
      case DataType.Time unused -> false;
      case DataType.Timestamp unused -> false;
      case DataType.Reference unused -> false;
      default -> true;
    };
  }

  static double of(DataType type) {
    return switch (type) {
      case DataType.Bool unused -> 1;
      case DataType.Int integer -> integer.byteWidth();
      case DataType.Float number -> number.bits() / 8.0;
      case DataType.Decimal unused -> 16;
      case DataType.Date unused -> 4;
      case DataType.Time unused -> 8;
      case DataType.Timestamp unused -> 8;
      case DataType.Duration unused -> 8;
      case DataType.Interval unused -> 16;
      case DataType.Reference unused -> 8;
      case DataType.FixedBinary binary -> binary.byteWidth();
      case DataType.Embedding embedding -> embedding.length() * of(embedding.element());
      case DataType.FixedList list -> list.length() * of(list.element().type());
      case DataType.FixedShapeImage image -> image.sampleCount();
      case DataType.FixedShapeTensor tensor -> tensor.elementCount() * of(tensor.element());
      default -> VARIABLE_BYTES;
    };
  }
}
