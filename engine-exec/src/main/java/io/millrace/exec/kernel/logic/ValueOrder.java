package io.millrace.exec.kernel.logic;

import io.millrace.core.batch.FlatVector;
import io.millrace.core.batch.Layouts;
import io.millrace.core.type.DataType;
import io.millrace.core.type.StorageTypes;
import io.millrace.exec.kernel.math.Int128;
import io.millrace.exec.kernel.string.ByteStrings;
import java.util.List;

/**
 * The total order of values of any type, for comparisons, extremes and sorting alike. NaN equals
 * NaN and comes after +infinity, −0.0 equals 0.0; text and binary go by unsigned bytes; lists
 * element by element, structs and maps member by member. Inside of nested values null equals null
 * and comes last.
 */
@FunctionalInterface
public interface ValueOrder {

  /** Nanoseconds of the days and months that intervals are compared by. */
  long NANOS_PER_DAY = 86_400_000_000_000L;

  /** The sign of the comparison of two rows that are not null. */
  int compare(FlatVector left, int leftRow, FlatVector right, int rightRow);

  /** The order of a type's values. */
  static ValueOrder of(DataType type) {
    return switch (StorageTypes.of(type)) {
      case DataType.Null plain -> (left, leftRow, right, rightRow) -> 0;
      case DataType.Bool plain ->
          (left, leftRow, right, rightRow) ->
              Boolean.compare(left.booleanAt(leftRow), right.booleanAt(rightRow));
      case DataType.Float plain ->
          (left, leftRow, right, rightRow) ->
              // Adding 0.0 turns −0.0 into 0.0; Double.compare has NaN last and equal to itself.
              Double.compare(left.doubleAt(leftRow) + 0.0, right.doubleAt(rightRow) + 0.0);
      case DataType.Int plain when !plain.signed() && plain.bits() == 64 ->
          (left, leftRow, right, rightRow) ->
              Long.compareUnsigned(left.longAt(leftRow), right.longAt(rightRow));
      case DataType.Decimal plain -> ValueOrder::compareDecimals;
      case DataType.Interval plain -> ValueOrder::compareIntervals;
      case DataType.Text plain -> ValueOrder::compareBytes;
      case DataType.Binary plain -> ValueOrder::compareBytes;
      case DataType.FixedBinary plain -> ValueOrder::compareBytes;
      case DataType.ListOf plain -> list(of(plain.element().type()));
      case DataType.MapOf plain -> list(of(StorageTypes.childTypes(plain).getFirst()));
      case DataType.FixedList plain -> fixedList(of(plain.element().type()), plain.length());
      case DataType.Struct plain ->
          struct(plain.fields().stream().map(field -> of(field.type())).toList());
      default ->
          (left, leftRow, right, rightRow) ->
              Long.compare(left.longAt(leftRow), right.longAt(rightRow));
    };
  }

  private static int compareDecimals(FlatVector left, int leftRow, FlatVector right, int rightRow) {
    return Int128.compare(
        left.values().get(Layouts.INT64, 16L * leftRow + 8),
        left.values().get(Layouts.INT64, 16L * leftRow),
        right.values().get(Layouts.INT64, 16L * rightRow + 8),
        right.values().get(Layouts.INT64, 16L * rightRow));
  }

  /** A month counts as 30 days and a day as 24 hours, as in PostgreSQL. */
  private static int compareIntervals(
      FlatVector left, int leftRow, FlatVector right, int rightRow) {
    long leftDays = intervalDays(left, leftRow);
    long rightDays = intervalDays(right, rightRow);
    return leftDays != rightDays
        ? Long.compare(leftDays, rightDays)
        : Long.compare(intervalRest(left, leftRow), intervalRest(right, rightRow));
  }

  private static long intervalDays(FlatVector vector, int row) {
    return 30L * vector.values().get(Layouts.INT32, 16L * row)
        + vector.values().get(Layouts.INT32, 16L * row + 4)
        + Math.floorDiv(vector.values().get(Layouts.INT64, 16L * row + 8), NANOS_PER_DAY);
  }

  private static long intervalRest(FlatVector vector, int row) {
    return Math.floorMod(vector.values().get(Layouts.INT64, 16L * row + 8), NANOS_PER_DAY);
  }

  private static int compareBytes(FlatVector left, int leftRow, FlatVector right, int rightRow) {
    return ByteStrings.compare(
        left.values(),
        left.byteOffsetAt(leftRow),
        left.byteLengthAt(leftRow),
        right.values(),
        right.byteOffsetAt(rightRow),
        right.byteLengthAt(rightRow));
  }

  private static ValueOrder list(ValueOrder element) {
    return (left, leftRow, right, rightRow) -> {
      int leftStart = left.startAt(leftRow);
      int rightStart = right.startAt(rightRow);
      int leftCount = left.endAt(leftRow) - leftStart;
      int rightCount = right.endAt(rightRow) - rightStart;
      int common = Math.min(leftCount, rightCount);
      int order =
          compareRanges(element, left.child(0), leftStart, right.child(0), rightStart, common);
      return order != 0 ? order : Integer.compare(leftCount, rightCount);
    };
  }

  private static ValueOrder fixedList(ValueOrder element, int length) {
    return (left, leftRow, right, rightRow) ->
        compareRanges(
            element, left.child(0), leftRow * length, right.child(0), rightRow * length, length);
  }

  private static int compareRanges(
      ValueOrder element,
      FlatVector left,
      int leftStart,
      FlatVector right,
      int rightStart,
      int count) {
    for (int index = 0; index < count; index++) {
      int order = compareNullable(element, left, leftStart + index, right, rightStart + index);
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }

  private static ValueOrder struct(List<ValueOrder> members) {
    return (left, leftRow, right, rightRow) -> {
      for (int index = 0; index < members.size(); index++) {
        int order =
            compareNullable(
                members.get(index), left.child(index), leftRow, right.child(index), rightRow);
        if (order != 0) {
          return order;
        }
      }
      return 0;
    };
  }

  private static int compareNullable(
      ValueOrder order, FlatVector left, int leftRow, FlatVector right, int rightRow) {
    boolean leftNull = left.isNull(leftRow);
    boolean rightNull = right.isNull(rightRow);
    return leftNull || rightNull
        ? Boolean.compare(leftNull, rightNull)
        : order.compare(left, leftRow, right, rightRow);
  }
}
