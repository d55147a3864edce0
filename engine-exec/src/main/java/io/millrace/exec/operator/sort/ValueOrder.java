package io.millrace.exec.operator.sort;

import io.millrace.core.batch.FlatVector;
import io.millrace.core.batch.Layouts;
import io.millrace.core.type.DataType;
import io.millrace.core.type.StorageTypes;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * The ascending order of one type's values, none null. NaN equals NaN and comes after +infinity,
 * −0.0 equals 0.0; text and binary go by unsigned bytes; lists and structs element by element, null
 * elements last.
 */
interface ValueOrder {
  long NANOS_PER_DAY = 86_400_000_000_000L;

  /** Compares a row of one vector with a row of another of the same type. */
  int compare(FlatVector left, int leftRow, FlatVector right, int rightRow);

  static ValueOrder of(DataType type) {
    return switch (StorageTypes.of(type)) {
      case DataType.Null t -> (left, l, right, r) -> 0;
      case DataType.Bool t ->
          (left, l, right, r) -> Boolean.compare(left.booleanAt(l), right.booleanAt(r));
      case DataType.Int t -> ofInteger(t);
      case DataType.Float t ->
          (left, l, right, r) -> compareDoubles(left.doubleAt(l), right.doubleAt(r));
      case DataType.Decimal t -> ValueOrder::compareDecimals;
      case DataType.Interval t -> ValueOrder::compareIntervals;
      case DataType.Text t -> ValueOrder::compareBytes;
      case DataType.Binary t -> ValueOrder::compareBytes;
      case DataType.FixedBinary t -> ValueOrder::compareBytes;
      case DataType.ListOf t -> ofList(of(t.element().type()));
      case DataType.MapOf t -> ofList(ofStruct(List.of(of(t.key().type()), of(t.value().type()))));
      case DataType.FixedList t -> ofFixedList(of(t.element().type()), t.length());
      case DataType.Struct t ->
          ofStruct(t.fields().stream().map(field -> of(field.type())).toList());
      default -> (left, l, right, r) -> Long.compare(left.longAt(l), right.longAt(r));
    };
  }

  private static ValueOrder ofInteger(DataType.Int type) {
    return type.signed()
        ? (left, l, right, r) -> Long.compare(left.longAt(l), right.longAt(r))
        : (left, l, right, r) -> Long.compareUnsigned(left.longAt(l), right.longAt(r));
  }

  static int compareDoubles(double left, double right) {
    if (left < right) {
      return -1;
    }
    if (left > right) {
      return 1;
    }
    if (left == right) {
      return 0;
    }
    return Boolean.compare(Double.isNaN(left), Double.isNaN(right));
  }

  private static int compareDecimals(FlatVector left, int l, FlatVector right, int r) {
    int high =
        Long.compare(
            left.values().get(Layouts.INT64, 16L * l + 8),
            right.values().get(Layouts.INT64, 16L * r + 8));
    return high != 0
        ? high
        : Long.compareUnsigned(
            left.values().get(Layouts.INT64, 16L * l), right.values().get(Layouts.INT64, 16L * r));
  }

  /** A month counts 30 days, as in PostgreSQL. */
  private static int compareIntervals(FlatVector left, int l, FlatVector right, int r) {
    int days = Long.compare(intervalDays(left, l), intervalDays(right, r));
    return days != 0 ? days : Long.compare(intervalNanos(left, l), intervalNanos(right, r));
  }

  private static long intervalDays(FlatVector vector, int row) {
    MemorySegment values = vector.values();
    return values.get(Layouts.INT32, 16L * row) * 30L
        + values.get(Layouts.INT32, 16L * row + 4)
        + Math.floorDiv(values.get(Layouts.INT64, 16L * row + 8), NANOS_PER_DAY);
  }

  private static long intervalNanos(FlatVector vector, int row) {
    return Math.floorMod(vector.values().get(Layouts.INT64, 16L * row + 8), NANOS_PER_DAY);
  }

  private static int compareBytes(FlatVector left, int l, FlatVector right, int r) {
    long leftFrom = left.byteOffsetAt(l);
    long rightFrom = right.byteOffsetAt(r);
    int leftLength = left.byteLengthAt(l);
    int rightLength = right.byteLengthAt(r);
    MemorySegment leftBytes = left.values();
    MemorySegment rightBytes = right.values();
    int common = Math.min(leftLength, rightLength);
    for (int index = 0; index < Math.min(common, 8); index++) {
      int difference =
          (leftBytes.get(Layouts.INT8, leftFrom + index) & 0xff)
              - (rightBytes.get(Layouts.INT8, rightFrom + index) & 0xff);
      if (difference != 0) {
        return difference;
      }
    }
    if (common > 8) {
      long mismatch =
          MemorySegment.mismatch(
              leftBytes, leftFrom, leftFrom + common, rightBytes, rightFrom, rightFrom + common);
      if (mismatch >= 0) {
        return (leftBytes.get(Layouts.INT8, leftFrom + mismatch) & 0xff)
            - (rightBytes.get(Layouts.INT8, rightFrom + mismatch) & 0xff);
      }
    }
    return Integer.compare(leftLength, rightLength);
  }

  private static ValueOrder ofList(ValueOrder element) {
    return (left, l, right, r) ->
        compareElements(
            element,
            left.child(0),
            left.startAt(l),
            left.endAt(l),
            right.child(0),
            right.startAt(r),
            right.endAt(r));
  }

  private static ValueOrder ofFixedList(ValueOrder element, int size) {
    return (left, l, right, r) ->
        compareElements(
            element,
            left.child(0),
            l * size,
            l * size + size,
            right.child(0),
            r * size,
            r * size + size);
  }

  private static int compareElements(
      ValueOrder element,
      FlatVector left,
      int leftFrom,
      int leftTo,
      FlatVector right,
      int rightFrom,
      int rightTo) {
    int common = Math.min(leftTo - leftFrom, rightTo - rightFrom);
    for (int index = 0; index < common; index++) {
      int order = compareNullable(element, left, leftFrom + index, right, rightFrom + index);
      if (order != 0) {
        return order;
      }
    }
    return Integer.compare(leftTo - leftFrom, rightTo - rightFrom);
  }

  private static int compareNullable(
      ValueOrder order, FlatVector left, int l, FlatVector right, int r) {
    boolean leftNull = left.isNull(l);
    boolean rightNull = right.isNull(r);
    return leftNull || rightNull
        ? Boolean.compare(leftNull, rightNull)
        : order.compare(left, l, right, r);
  }

  private static ValueOrder ofStruct(List<ValueOrder> members) {
    return (left, l, right, r) -> {
      for (int index = 0; index < members.size(); index++) {
        int order =
            compareNullable(members.get(index), left.child(index), l, right.child(index), r);
        if (order != 0) {
          return order;
        }
      }
      return 0;
    };
  }
}
