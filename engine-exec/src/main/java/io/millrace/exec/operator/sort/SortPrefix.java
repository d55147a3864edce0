package io.millrace.exec.operator.sort;

import io.millrace.core.batch.FlatVector;
import io.millrace.core.batch.Layouts;
import io.millrace.core.plan.OrderKey;
import io.millrace.core.type.DataType;
import io.millrace.core.type.StorageTypes;
import io.millrace.exec.operator.key.ColumnRows;

/**
 * The first key of a row as 64 bits that order like it, unsigned: most comparisons need no more.
 * Different numbers are in the rows' order; equal ones say nothing.
 */
interface SortPrefix {
  /** Fills the numbers of the first {@code count} rows. */
  void fill(ColumnRows rows, int count, long[] target);

  /** A prefix that says nothing. */
  SortPrefix NONE = (rows, count, target) -> java.util.Arrays.fill(target, 0, count, 0);

  /** The 64 bits of one value, ascending. */
  interface Value {
    long of(FlatVector values, int position);
  }

  static SortPrefix of(DataType type, OrderKey key) {
    Value value =
        switch (StorageTypes.of(type)) {
          case DataType.Null t -> null;
          case DataType.Bool t -> (values, position) -> values.booleanAt(position) ? 1 : 0;
          case DataType.Int t ->
              t.signed()
                  ? (values, position) -> values.longAt(position) ^ Long.MIN_VALUE
                  : FlatVector::longAt;
          case DataType.Float t -> (values, position) -> ofDouble(values.doubleAt(position));
          case DataType.Decimal t -> SortPrefix::ofDecimal;
          case DataType.Date t -> SortPrefix::ofSigned;
          case DataType.Time t -> SortPrefix::ofSigned;
          case DataType.Timestamp t -> SortPrefix::ofSigned;
          case DataType.Duration t -> SortPrefix::ofSigned;
          case DataType.Text t -> SortPrefix::ofBytes;
          case DataType.Binary t -> SortPrefix::ofBytes;
          case DataType.FixedBinary t -> SortPrefix::ofBytes;
          default -> null;
        };
    return value == null ? NONE : of(value, key);
  }

  private static SortPrefix of(Value value, OrderKey key) {
    long flip = key.descending() ? -1 : 0;
    long ofNull = key.nullsFirst() ? 0 : -1;
    return (rows, count, target) -> {
      FlatVector values = rows.values();
      int[] positions = rows.positions();
      for (int row = 0; row < count; row++) {
        int position = positions[row];
        target[row] = position < 0 ? ofNull : value.of(values, position) ^ flip;
      }
    };
  }

  private static long ofSigned(FlatVector values, int position) {
    return values.longAt(position) ^ Long.MIN_VALUE;
  }

  /** −0.0 as 0.0; NaN above all. */
  private static long ofDouble(double value) {
    if (Double.isNaN(value)) {
      return -1;
    }
    long bits = Double.doubleToRawLongBits(value + 0.0);
    return bits < 0 ? ~bits : bits ^ Long.MIN_VALUE;
  }

  /** Exact while the number fits 64 bits; beyond, all are the same extreme. */
  private static long ofDecimal(FlatVector values, int position) {
    long low = values.values().get(Layouts.INT64, 16L * position);
    long high = values.values().get(Layouts.INT64, 16L * position + 8);
    if (high == low >> 63) {
      return low ^ Long.MIN_VALUE;
    }
    return high < 0 ? 0 : -1;
  }

  /** The first eight bytes, big-endian, zeros after the end. */
  private static long ofBytes(FlatVector values, int position) {
    long from = values.byteOffsetAt(position);
    int length = values.byteLengthAt(position);
    if (length >= 8) {
      return Long.reverseBytes(values.values().get(Layouts.INT64, from));
    }
    long prefix = 0;
    for (int index = 0; index < length; index++) {
      prefix |= (values.values().get(Layouts.INT8, from + index) & 0xffL) << 56 - 8 * index;
    }
    return prefix;
  }
}
